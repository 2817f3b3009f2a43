// Bisque: my goal stays on this phone until its owner turns it up. Nothing here scores: what each card would score as a goal
// comes with the page, the same for everybody, and this phone only picks its own line.

const KEY = "companion:goal:";

const inMemory = new Map(); // where the browser keeps nothing
let open = ""; // the match whose goal lies open on this phone

const panel = () => document.querySelector("[data-goal-match]");

function read() {
  const { goalMatch, goalHand } = panel()?.dataset ?? {};
  let kept = inMemory.get(goalMatch);
  try {
    kept = JSON.parse(localStorage.getItem(KEY + goalMatch)) ?? kept;
  } catch {
    // what is in memory is all there is
  }
  return kept?.hand === goalHand ? kept.card : "";
}

function write(card) {
  const { goalMatch, goalHand } = panel().dataset;
  const kept = { hand: goalHand, card };
  inMemory.set(goalMatch, kept);
  try {
    localStorage.setItem(KEY + goalMatch, JSON.stringify(kept));
  } catch {
    // it lasts as long as this page
  }
}

function element(name, text, cls) {
  const made = document.createElement(name);
  made.textContent = text;
  if (cls) made.className = cls;
  return made;
}

function draw() {
  const place = panel();
  if (!place) return;
  const goal = read();
  const shown = open === place.dataset.goalMatch && goal !== "";
  const line = shown ? document.querySelector(`[data-goal-pick="${CSS.escape(goal)}"]`) : null;
  const suits = line ? line.dataset.suits.split(" ") : [];

  const slot = document.getElementById("goal-card");
  slot.lock ??= slot.firstElementChild;
  slot.replaceChildren(line ? line.querySelector(".card").cloneNode(true) : slot.lock);
  slot.setAttribute("aria-label", line ? `${line.getAttribute("aria-label").split(",")[0]}. Choose another goal` : "Open my goal");

  const text = place.querySelector("[data-goal-text]");
  if (!line) text.replaceChildren(element("p", goal ? "Closed. The eye opens it." : "None chosen yet. Tap the eye."));
  else if (line.dataset.refusal) text.replaceChildren(element("p", line.dataset.refusal, "bad"));
  else {
    const now = element("p", "", "goal-now");
    now.append(element("b", line.dataset.points), element("span", `now, ${line.dataset.why}`));
    text.replaceChildren(now);
  }

  const eye = document.getElementById("goal-eye");
  const use = eye.querySelector("use");
  use.setAttribute("href", use.getAttribute("href").replace(/#.*/, shown ? "#eye-off" : "#eye"));
  eye.setAttribute("aria-expanded", String(shown));
  eye.setAttribute("aria-label", shown ? "Close my goal" : "Open my goal");
  eye.title = eye.getAttribute("aria-label");
  for (const bar of document.querySelectorAll("#soup .suit-bars > li")) bar.toggleAttribute("data-goal", suits.includes(bar.dataset.fill));

  const show = document.getElementById("goal-show");
  if (show) show.hidden = !goal || !document.getElementById("show-goal");
}

function choose() {
  document.getElementById("goal-refusal").textContent = "";
  document.getElementById("goal-choice").showModal();
}

function pick(button) {
  if (button.dataset.refusal) {
    document.getElementById("goal-refusal").textContent = button.dataset.refusal;
    return;
  }
  write(button.dataset.goalPick);
  open = panel().dataset.goalMatch;
  document.getElementById("goal-choice").close();
  draw();
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button || !panel()) return;
  if (button.id === "goal-eye" || button.id === "goal-card") {
    if (!read() || (open && button.id === "goal-card")) choose();
    else open = open ? "" : panel().dataset.goalMatch;
    draw();
  } else if (button.id === "goal-forget") {
    write("");
    open = "";
    document.getElementById("goal-choice").close();
    draw();
  } else if ("goalPick" in button.dataset) pick(button);
  else if (button.id === "goal-show") {
    const form = document.getElementById("show-goal");
    form.elements.goal.value = read();
    open = "";
    form.requestSubmit();
  }
});

// Who puts the phone down closes the goal
function close() {
  open = "";
  draw();
}

document.addEventListener("visibilitychange", () => document.hidden && close());
addEventListener("pagehide", close);

// The cards to pick from: what was tapped first stays while other phones change the page, until the trick is another

let chosen = null;

const pickers = () => document.querySelectorAll("[data-picker]");

document.addEventListener("change", ({ target }) => {
  if (target.type !== "radio" || !target.form || !("picker" in target.form.dataset)) return;
  if (target.value === "") target.checked = false;
  chosen = target.checked ? { form: target.form.id, seen: target.form.elements.seen.value, name: target.name, value: target.value } : null;
});

function choice() {
  const form = chosen && document.getElementById(chosen.form);
  if (!form || form.elements.seen.value !== chosen.seen) chosen = null;
  else for (const radio of form.elements[chosen.name]) radio.checked = radio.value === chosen.value;
}

function putAway() {
  chosen = null;
  for (const form of pickers()) for (const radio of form.querySelectorAll("input[type=radio]")) radio.checked = false;
}

document.addEventListener("keydown", (event) => event.key === "Escape" && !document.querySelector("dialog[open]") && putAway());
document.addEventListener("submit", ({ target }) => {
  if ("picker" in target.dataset && !navigator.onLine) setTimeout(putAway); // it waits in the outbox
});

document.addEventListener("companion:fresh", () => {
  choice();
  draw();
});
document.addEventListener("companion:page", () => {
  chosen = null;
  draw();
});
draw();
