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

/** The language of the page as the phone's country writes it, for dates and times: 18:58 in Britain, 6:58 PM in America. */
export const speaks = () => {
  const { lang } = document.documentElement;
  return navigator.languages.find((each) => each.split("-")[0] === lang.split("-")[0]) ?? (lang || undefined);
};
