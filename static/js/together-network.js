// Are two phones in the same network? Their descriptions tell their addresses, unless the browser hides them.

const places = (sdp) => [...sdp.matchAll(/a=candidate:\S+ 1 udp \S+ (\S+) \d+ typ host/gi)].map(([, place]) => place);

/** The first three numbers of addresses, which phones of one network at home have in common. */
const networks = (sdp) => places(sdp).flatMap((place) => place.match(/^\d+\.\d+\.\d+(?=\.\d+$)/) ?? []);

/**
 * Return which sentence says it, and its parts.
 * @param {string} mine
 * @param {string} theirs
 * @returns {[string, Record<string, string>]}
 */
export function compare(mine, theirs) {
  if (!places(mine).length) return ["networkNone", {}];
  const [here, there] = [networks(mine), networks(theirs)];
  if (!here.length || !there.length) return ["networkHidden", {}];
  if (here.some((each) => there.includes(each))) return ["networkSame", {}];
  return ["networkOther", { mine: here[0], theirs: there[0] }];
}
