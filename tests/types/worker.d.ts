// What does a service worker find? TypeScript offers it only to files that say they are one.

declare const registration: ServiceWorkerRegistration;
declare const clients: Clients;
declare function skipWaiting(): Promise<void>;

/** What the server writes before the script. */
interface WorkerGlobalScope {
  companion: { version: string; assets: string[]; pages: string[]; site?: boolean };
}

interface Event {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
  waitUntil(done: Promise<unknown>): void;
}
