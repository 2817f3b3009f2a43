// Where does the browser's Back lead? One screen up, as the arrow of a page does, however many forms were filled in since. A step
// that is done is replaced by the next one, or passed over by Back.

/** @typedef {{ at: number, path: string, up: string, done?: boolean }} Step at: its place in the history; up: where its arrow leads */
/** @typedef {{ at: number, trail: Step[], sheet?: string, link?: string | null }} State trail: the pages that Back leads through */

const pathOf = (url) => new URL(url, location.href).pathname;

// Where the arrow of the page in sight leads; the rules lead back to wherever they were opened
function arrow() {
  const link = document.querySelector("[data-goes-back]") ? null : document.querySelector(".app-bar > a:first-child");
  return link ? pathOf(link.href) : "";
}

if (!history.state?.trail) {
  const step = { at: 0, path: location.pathname, up: arrow() };
  history.replaceState({ at: 0, trail: [step], ...history.state }, "");
}

/** @type {State} */
let position = history.state;
let passing = false; // Back is on its way over steps that are done

// The pages below one that has just come into sight: those up to its arrow's page, or else all that Back may still lead to
function below({ path, up }) {
  const { trail } = position;
  const above = trail.findLastIndex((step) => step.path === up);
  const same = trail.findIndex((step) => step.path === path);
  if (above >= 0 && (same < 0 || above < same)) return trail.slice(0, above + 1);
  if (same >= 0) return trail.slice(0, same);
  return trail.filter((step) => !step.done && step.up !== path && !(up && step.up === up));
}

function go(how, state, url) {
  history[how](state, "", url);
  position = state;
}

/**
 * Note the page in sight in the history. The page before it stays there if Back may lead to it.
 * @param {string} url
 * @param {{ done?: boolean }} [how] done: the page before was a form, and it is filled in
 */
export function stepTo(url, { done = false } = {}) {
  const page = { at: position.at, path: pathOf(url), up: arrow() };
  const before = position.trail.at(-1);
  before.done ||= done;
  const under = below(page);
  const stays = !position.sheet && under.at(-1) === before;
  if (stays) page.at += 1;
  go(stays ? "pushState" : "replaceState", { at: page.at, trail: [...under, page] }, url);
}

/**
 * Note that a sheet lies over the page: Back closes it.
 * @param {string} sheet address of its question
 * @param {string | null | undefined} link that has opened it
 */
export const stepIntoSheet = (sheet, link) => go("pushState", { ...position, at: position.at + 1, sheet, link }, location.href);

/** Note that no sheet lies over the page any more. */
export function stepOutOfSheet() {
  const { at, trail } = position;
  go("replaceState", { at, trail }, location.href);
}

const OUT = 300; // milliseconds after which Back has found nothing further down

// Registered before those that show a page: none is shown on the way
addEventListener("popstate", (event) => {
  const from = position;
  position = history.state?.trail ? history.state : { at: from.at + 1, trail: from.trail };
  if (position !== history.state) history.replaceState(position, ""); // a place on this page was tapped
  const goal = from.trail.at(-2)?.at ?? -1; // what lies before the first page is not Companion's
  const back = !passing && !from.sheet && position.at === from.at - 1;
  passing = back && goal < position.at;
  if (!passing) return;
  event.stopImmediatePropagation();
  history.go(goal - position.at);
  setTimeout(() => passing && dispatchEvent(new PopStateEvent("popstate")), OUT);
});
