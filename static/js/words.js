// Which sentences do scripts say? Those that the page brought along, in the phone's language (templates/components/words.html).

const VOWELS = /^[aeiouæœ]/i;
const beginsWithVowel = (part) => VOWELS.test(String(part).normalize("NFD"));

/**
 * Return a sentence of the page in sight, with its parts put in; {name:d’|de } puts one of two words before it, as the server does.
 * @param {string} name
 * @param {Record<string, string | number>} [parts]
 * @returns {string}
 */
export function say(name, parts = {}) {
  let template = "";
  for (const element of document.querySelectorAll("template[data-words]")) {
    template = JSON.parse(element.content.textContent)[name] ?? template;
  }
  return template.replace(/\{(\w+)(?::([^{}|]*)\|([^{}|]*))?\}/g, (_, name, vowel = "", other = "") => {
    const part = parts[name] ?? "";
    return `${beginsWithVowel(part) ? vowel : other}${part}`;
  });
}

/** The language of the page as the phone's country writes it, for dates and times: 18:58 in Britain, 6:58 PM in America. */
export const speaks = () => {
  const { lang } = document.documentElement;
  return navigator.languages.find((each) => each.split("-")[0] === lang.split("-")[0]) ?? (lang || undefined);
};
