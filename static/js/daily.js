// What does this phone keep of its daily questions? The days that it answered, its streak, and what it missed and should meet again.
// Nothing of it is sent anywhere, and nothing is judged here: the page says whether an answer was right.

import { keep, read } from "./table-memory.js";

const KEY = "companion:daily";
const TURNS_AT = 4; // o'clock: whoever answers after a late evening answers for that evening
const AGAIN_AFTER = 3; // days until a missed question comes back
const A_DAY = 86_400_000;
const DAY_BEFORE_THE_FIRST = Date.UTC(2025, 11, 31);

/**
 * The number of this phone's own day.
 * @param {Date} [now]
 */
export function dayOfPhone(now = new Date()) {
  const day = new Date(now);
  day.setHours(day.getHours() - TURNS_AT);
  return Math.max(1, (Date.UTC(day.getFullYear(), day.getMonth(), day.getDate()) - DAY_BEFORE_THE_FIRST) / A_DAY);
}

/** What is kept: the answered days by number, and by exercise the day from which a missed one is due. */
const kept = () => ({ days: {}, missed: {}, ...read(KEY) });

/**
 * The answered day before this one. A journey can skip a day of the calendar: then it is the one before that.
 * @param {Record<string, any>} days
 * @param {number} day
 */
function before(days, day) {
  if (days[day - 1]) return day - 1;
  const [from, to] = [days[day - 2], days[day] ?? { at: Date.now(), zone: new Date().getTimezoneOffset() }];
  return from && from.zone !== to.zone && to.at - from.at < 2 * A_DAY ? day - 2 : null;
}

/**
 * How many days in a row were answered, up to today or yesterday, and on from there if the clock was set back.
 * @param {Record<string, any>} days
 * @param {number} today
 */
function streakOf(days, today) {
  let day = days[today] ? today : before(days, today);
  if (day === null) return 0;
  for (let next = day; next; next = [day + 1, day + 2].find((later) => days[later] && before(days, later) === day)) day = next;
  let length = 0;
  for (let at = day; at !== null; at = before(days, at)) length += 1;
  return length;
}

/**
 * Keep an answer once: the first one of a day counts, and a missed exercise is due again in some days.
 * @param {PageElement} form
 */
function keepAnswer({ dataset: { day, exercise, right, chosen } }) {
  const all = kept();
  const today = dayOfPhone();
  if (day && all.days[day]) return;
  if (day) all.days[day] = { right: right === "1", chosen, at: Date.now(), zone: new Date().getTimezoneOffset() };
  if (right === "1") delete all.missed[exercise];
  else all.missed[exercise] = today + AGAIN_AFTER;
  keep(KEY, all);
}

/**
 * Choose what was answered first.
 * @param {PageElement} form
 */
function chooseAgain(form, chosen) {
  for (const input of form.querySelectorAll("input:is([type=checkbox], [type=radio])"))
    input.checked = chosen.split(" ").includes(input.value);
}

const filled = (pattern, parts) => pattern.replace(/\{(\w+)\}/g, (_, name) => parts[name]);

function drawStreak(place, days, today) {
  const n = streakOf(days, today);
  place.querySelector("b").textContent = n;
  place.setAttribute("aria-label", filled(place.dataset.words, { n }));
  place.hidden = !n;
}

/** The seven days up to this one. */
const week = (today) => Array.from({ length: 7 }, (_, place) => today - 6 + place);

function drawWeek(place, days, today) {
  const answered = week(today).filter((day) => days[day]);
  const { lang } = document.documentElement;
  const said = place.querySelector("[data-count]");
  said.textContent = filled(said.dataset.words, {
    right: answered.filter((day) => days[day].right).length,
    all: answered.length,
  });
  const list = place.querySelector("[data-days]");
  const marks = place.querySelector("[data-marks]").content.children;
  const words = list.dataset.words.split("|");
  list.replaceChildren(
    ...week(today).map((day) => {
      const date = new Date(DAY_BEFORE_THE_FIRST + day * A_DAY);
      const written = (weekday) => date.toLocaleDateString(lang, { weekday, timeZone: "UTC" });
      const kind = days[day] ? (days[day].right ? 0 : 1) : 2;
      const item = document.createElement("li");
      const letter = document.createElement("small");
      letter.textContent = written("narrow");
      letter.ariaHidden = "true";
      const heard = document.createElement("span");
      heard.className = "visually-hidden";
      heard.textContent = filled(words[kind], { day: written("long") });
      if (day === today) item.ariaCurrent = "date";
      item.append(heard, marks[kind].cloneNode(true), letter);
      return item;
    }),
  );
  place.hidden = !answered.length;
}

function drawShare(place, days, form) {
  const day = Number(form.dataset.day);
  const answered = week(day).filter((each) => days[each]);
  const text = filled(place.dataset.words, {
    day,
    game: form.dataset.title,
    right: answered.filter((each) => days[each].right).length,
    all: answered.length,
    n: streakOf(days, day),
  });
  place.dataset.shareText = text;
  place.hidden = false;
  const words = document.querySelector("[data-share-words]");
  words.textContent = text;
  words.hidden = isSecureContext;
}

/** What was missed and is due by now, the longest due first; each row is a copy of the game's own. */
function drawMissed(place, missed, today) {
  const due = Object.entries(missed).filter(([, day]) => day <= today);
  due.sort(([, one], [, other]) => one - other);
  const row = place.querySelector("template").content.firstElementChild;
  place.querySelector("[data-due]").replaceChildren(
    ...due.map(([exercise]) => {
      const [game, number] = exercise.split("/");
      const link = row.cloneNode(true);
      link.href = `${link.href}/${exercise}`;
      const title = document.querySelector(`[data-practised="${CSS.escape(game)}"] b`)?.textContent ?? game;
      link.querySelector("b").textContent = `${title}, ${number}`;
      const item = document.createElement("li");
      item.append(link);
      return item;
    }),
  );
  place.hidden = !due.length;
}

function arrive() {
  const today = dayOfPhone();
  const form = /** @type {PageElement | null} */ (document.querySelector("#practice[data-exercise]"));
  for (const link of document.querySelectorAll("a[data-daily]")) link.href = `${link.href.replace(/\/\d+$/, "")}/${today}`;
  if (form?.dataset.ownDay !== undefined && !form.dataset.right && Number(form.dataset.day) !== today) {
    location.replace(form.action.replace(/\d+$/, String(today)));
    return;
  }
  if (form?.dataset.right) keepAnswer(form);
  const { days, missed } = kept();
  const first = form?.dataset.day && days[form.dataset.day];
  if (first && first.chosen !== (form.dataset.chosen ?? "") && !form.hasAttribute("data-asked-again")) {
    form.setAttribute("data-asked-again", "");
    if (!form.dataset.right) {
      chooseAgain(form, first.chosen);
      form.requestSubmit();
    }
  }
  const shownDay = Number(form?.dataset.day ?? today);
  for (const place of document.querySelectorAll("[data-streak]")) drawStreak(place, days, today);
  for (const place of document.querySelectorAll("[data-week]")) drawWeek(place, days, shownDay);
  for (const place of document.querySelectorAll("[data-share-day]")) drawShare(place, days, form);
  for (const place of document.querySelectorAll("[data-missed]")) drawMissed(place, missed, today);
  if (form?.dataset.right) document.getElementById("verdict")?.focus();
}

// One try: an answer that was kept is sent again, whatever was chosen since
document.addEventListener(
  "submit",
  ({ target }) => {
    const first = target.dataset.day && kept().days[target.dataset.day];
    if (first) chooseAgain(target, first.chosen);
  },
  { capture: true },
);
document.addEventListener("companion:load", arrive);
arrive();
