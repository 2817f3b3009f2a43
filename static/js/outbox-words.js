// What does an entry say, in the words of its form, and what does an answer say of it? Its row tells both.

// What a field says, in the page's words
function saidBy(field) {
  if (field.dataset.says) return field.dataset.says;
  if (field instanceof HTMLButtonElement) return field.ariaLabel ?? field.textContent;
  if (field instanceof HTMLSelectElement) return field.value && field.selectedOptions[0].textContent;
  if (field.type !== "radio") return field.type === "hidden" ? "" : field.value;
  return field.checked ? (field.labels[0]?.querySelector("b")?.textContent ?? "") : "";
}

function chosenIn(form, submitter, name) {
  if (submitter?.name === name) return saidBy(submitter);
  const field = form.elements[name] ?? [];
  const fields = field instanceof Element ? [field] : [...field];
  return fields.map(saidBy).filter(Boolean).join(" ");
}

/**
 * Return what an entry says, as its form tells it: part by part, without those of which nothing was chosen.
 * @param {PageElement} form
 * @param {PageElement} [submitter]
 */
export function holds(form, submitter) {
  if (submitter?.dataset.outbox) return "";
  const parts = (form.dataset.holds ?? "").split("|").map((part) => {
    let some = false;
    const words = part.replace(/\{([\w-]+)\}/g, (_, name) => {
      const chosen = chosenIn(form, submitter, name).trim();
      some ||= chosen !== "";
      return chosen || "–";
    });
    return some ? words : "";
  });
  return parts.filter(Boolean).join(", ");
}

/**
 * Return why a page refuses what was sent.
 * @param {Document} page
 */
export function why(page) {
  const box = page.querySelector("main [data-error], main [role=alert]") ?? page.querySelector("main");
  for (const each of box?.querySelectorAll("a, button, template, .visually-hidden") ?? []) each.remove();
  const sentences = box?.matches("p") ? [box] : [...(box?.querySelectorAll("b, p") ?? [])];
  return sentences
    .map(({ textContent }) => textContent.trim().replace(/\s+/g, " "))
    .join(". ")
    .replace(/([.!?:])\./g, "$1")
    .slice(0, 300);
}

/**
 * Tell this page that what was entered counts, and the line of the log that the answer names.
 * @param {Response} answer
 * @param {object} entry
 */
export const tellCounted = (answer, entry) =>
  document.dispatchEvent(
    new CustomEvent("companion:counted", { detail: { ...entry, line: answer.headers.get("Companion-Line") } }),
  );
