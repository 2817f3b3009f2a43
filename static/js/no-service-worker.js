// What is /sw.js where the host switched the service worker off? This: all that an earlier one kept is deleted, and nothing stays.

// below a path there may be others on the same host: theirs begin otherwise
const HOME = new URL("./", location.href).pathname.replace(/^\/$/, "");

addEventListener("install", () => skipWaiting());

addEventListener("activate", (event) => {
  const empty = async () => {
    for (const name of await caches.keys()) if (name.startsWith(HOME)) await caches.delete(name);
  };
  const all = async () => {
    await clients.claim(); // so that no page hands the earlier one more to keep
    await empty();
    await registration.unregister();
    await empty(); // what the earlier one was about to keep just then
  };
  event.waitUntil(all());
});
