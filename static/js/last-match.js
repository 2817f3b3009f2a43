// Is it late? Then the end of a match asks quietly whether that was the last one, and the rematch is no longer what stands out.

const NOON = 12; // an evening goes on past midnight, and is over by noon

const sinceNoon = (hour) => (hour + NOON) % 24;

function look() {
  const question = /** @type {HTMLElement | null} */ (document.querySelector("[data-last-match]"));
  const { last } = document.documentElement.dataset;
  if (!question || !last || sinceNoon(new Date().getHours()) < sinceNoon(Number(last))) return;
  question.hidden = false;
  const rematch = question.parentElement?.querySelector("form .primary");
  rematch?.classList.replace("primary", "secondary");
}

document.addEventListener("companion:load", look);
document.addEventListener("companion:update", look);
look();
