// Where is what was typed and not saved, after a reload or on the way back to its form? This tab keeps it, for as long as the form is
// about the same round.

import { HTML, bodyOf, reach } from "./connection.js";
import { show } from "./pages.js";
import { hold } from "./taps.js";

const keptForm = () => /** @type {PageElement | null} */ (document.querySelector("form[data-kept]"));

const place = (form) => `typed ${location.pathname} ${form.dataset.keptAs}`;

const names = (form) => form.dataset.kept.split(" ");

// The form's values. Fields that the form lacks now keep their stored values, such as the cards while points are typed
function typedIn(form) {
  const before = new URLSearchParams(stored(form) ?? "");
  const all = bodyOf(form);
  return new URLSearchParams(
    names(form).flatMap((name) => (form.elements[name] ? all : before).getAll(name).map((value) => [name, String(value)])),
  );
}

const isTouched = (field) => field.value !== field.defaultValue || field.checked !== field.defaultChecked;

// At once, so that a tap on the bare form comes on top of it; who has typed into a field before this script was there keeps that
function fill(form, before) {
  for (const name of names(form)) {
    const fields = [...form.elements].filter((field) => field.name === name);
    if (fields.some(isTouched)) continue;
    const values = before.getAll(name);
    for (const field of fields)
      if (field.type === "radio" || field.type === "checkbox") field.checked = values.includes(field.value);
      else field.value = values.shift() ?? "";
  }
}

// A browser that keeps nothing loses what it always lost
function stored(form) {
  try {
    return sessionStorage.getItem(place(form));
  } catch {
    return null;
  }
}

function keep(form) {
  try {
    sessionStorage.setItem(place(form), String(typedIn(form)));
  } catch {}
}

function forget(form) {
  try {
    sessionStorage.removeItem(place(form));
  } catch {}
}

async function restore(form, before) {
  const body = bodyOf(form);
  for (const name of names(form)) body.delete(name);
  for (const [name, value] of before) body.append(name, value);
  body.set("ask", "preview");
  const pageUrl = location.href;
  const reached = await reach(form.action, { method: "POST", body, headers: HTML });
  if (reached?.answer.ok && pageUrl === location.href && keptForm() === form && "fresh" in form.dataset)
    await show(reached.html, pageUrl);
}

function arrive() {
  const form = keptForm();
  if (!form) return;
  const before = "fresh" in form.dataset ? stored(form) : null;
  const bare = String(typedIn(form));
  if (before) fill(form, new URLSearchParams(before));
  const typed = typedIn(form);
  if (before && bare !== String(typed)) hold(() => restore(form, typed));
  else if (!("fresh" in form.dataset)) keep(form);
}

document.addEventListener("input", ({ target }) => {
  const form = target.form;
  if (!form?.dataset.kept) return;
  delete form.dataset.fresh; // who types already does not wait for what was typed before
  keep(form);
});
document.addEventListener("submit", ({ target, submitter }) => {
  if (target.dataset.kept && !submitter?.name) forget(target); // saved; refused, it comes back with what was typed
});
document.addEventListener("companion:load", arrive);
arrive();
