// Was this phone let in? It asks every two seconds, and goes where the answer leads.

const AGAIN = 2000; // milliseconds

let timer = 0;

async function look() {
  if (!document.querySelector("[data-wait]")) return; // it was given up
  const answer = await fetch(location.href, { cache: "no-store" }).catch(() => null);
  if (!document.querySelector("[data-wait]")) return;
  if (answer?.redirected) location.replace(answer.url);
  else if (answer && !answer.ok && answer.status < 500) location.reload();
  else begin();
}

function begin() {
  clearTimeout(timer);
  timer = setTimeout(look, AGAIN);
}

document.addEventListener("companion:load", begin);
begin();
