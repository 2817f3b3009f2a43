// What is /sw.js where the host switched the service worker off? This: all that an earlier one kept is deleted, and nothing stays.

addEventListener("install", () => skipWaiting());

addEventListener("activate", (event) => {
  const all = async () => {
    for (const name of await caches.keys()) await caches.delete(name);
    await registration.unregister();
  };
  event.waitUntil(all());
});
