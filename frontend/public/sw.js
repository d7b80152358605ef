// Keeps the client's own files, so the installed app opens at once; the game itself always comes from the server.
const CACHE = "hongzhong-1";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  const own = url.href.startsWith(self.registration.scope);
  if (event.request.method !== "GET" || !own || url.pathname.includes("/api/")) return;
  const named = url.pathname.includes("/assets/"); // their names hold a hash: once kept, always right
  event.respondWith(
    caches.open(CACHE).then(async (cache) => {
      const kept = await cache.match(event.request);
      if (named && kept) return kept;
      try {
        const answer = await fetch(event.request);
        if (answer.ok) cache.put(event.request, answer.clone());
        return answer;
      } catch (error) {
        if (kept) return kept;
        throw error;
      }
    }),
  );
});
