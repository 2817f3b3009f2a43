// Which sentences do scripts say? Those that the page brought along, in the phone's language (templates/components/words.html).

/**
 * Return a sentence of the page in sight, with its parts put in.
 * @param {string} name
 * @param {Record<string, string | number>} [parts]
 * @returns {string}
 */
export function say(name, parts = {}) {
  let template = "";
  for (const element of document.querySelectorAll("template[data-words]")) {
    template = JSON.parse(element.content.textContent)[name] ?? template;
  }
  return template.replace(/\{(\w+)\}/g, (_, part) => String(parts[part] ?? ""));
}

/** The language of the page, for dates and times. */
export const speaks = () => document.documentElement.lang || undefined;
