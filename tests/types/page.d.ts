// What may a script expect of the pages? TypeScript knows no template: an element that is looked up, or that an event is about,
// may be any of ours. What it does know is checked: the names of properties, and what one module asks of another.

interface PageElement extends HTMLElement {
  cloneNode(deep?: boolean): PageElement;
  readonly firstElementChild: PageElement;
  action: string;
  checked: boolean;
  content: PageFragment;
  defaultValue: string;
  disabled: boolean;
  elements: any;
  enctype: string;
  form: PageElement | null;
  formAction: string;
  href: string;
  maxLength: number;
  method: string;
  name: string;
  open: boolean;
  returnValue: string;
  src: string;
  target: string;
  type: string;
  value: string;
  close(): void;
  requestSubmit(submitter?: HTMLElement): void;
  showModal(): void;
}

/** What a template holds. */
interface PageFragment extends DocumentFragment {
  readonly firstElementChild: PageElement;
  cloneNode(deep?: boolean): PageFragment;
}

/** What the stream tells of a match's page: the parts that are new, and of lists the children (see live_parts.py). */
interface Changes {
  readonly from: number;
  readonly to: number;
  readonly entries: number;
  readonly parts: Record<string, string>;
  readonly lists: Record<string, { readonly order: string[]; readonly fresh: Record<string, string> }>;
}

/** Any event that a page tells of; what each holds is in the browser's own documentation. */
interface PageEvent extends Event {
  readonly altKey: boolean;
  readonly button: number;
  readonly clientX: number;
  readonly clientY: number;
  readonly ctrlKey: boolean;
  readonly detail: any;
  readonly inputType: string;
  readonly key: string;
  readonly metaKey: boolean;
  readonly pointerType: string;
  readonly shiftKey: boolean;
  readonly submitter: PageElement | null;
  readonly target: PageElement;
}

interface ParentNode {
  querySelector(selectors: string): PageElement | null;
  querySelectorAll(selectors: string): NodeListOf<PageElement>;
}

interface Element {
  closest(selectors: string): PageElement | null;
}

interface Document {
  getElementById(id: string): PageElement | null;
  addEventListener(type: string, listener: (event: PageEvent) => unknown, options?: boolean | AddEventListenerOptions): void;
}

/** What the server answered, read to its end. */
interface Reached {
  answer: Response;
  html: string;
}

/** An entry that this phone keeps until it counts. */
interface OutboxEntry {
  /** its idempotency key */
  key: string;
  /** its place among all entries of this phone */
  number: number;
  /** when it was made, by this phone's clock; entries of older versions don't know it */
  at?: number;
  url: string;
  /** the form as it is sent */
  body: string;
  /** what it is called on the page */
  what: string;
  /** its game and table, as its page called them */
  place?: string;
  /** what was entered in it */
  holds?: string;
  state: "sent" | "waiting" | "refused" | "behind" | "again" | "counted";
  /** there was no answer once */
  waited?: boolean;
  /** why the server refused it; nobody has seen it yet */
  refused?: string;
  /** where another phone entered something else in its place: how to say that this one is right */
  keep?: { url: string; body: string };
  /** its form's token was replaced by a valid one, once */
  renewed?: boolean;
}
