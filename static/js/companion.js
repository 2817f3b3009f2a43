// What does every page load? Each module answers the question at its head. Nothing in this folder scores or judges; it asks the
// server. The same list stands in base.html as modulepreload links, so that no module waits for another.

import "./announce.js";
import "./connection.js";
import "./taps.js";
import "./pages.js";
import "./parts.js";
import "./outbox-store.js";
import "./offline.js";
import "./kept-pages.js";
import "./navigation.js";
import "./preview.js";
import "./keypad.js";
import "./dialogs.js";
import "./toast.js";
import "./awake.js";
import "./outbox.js";
import "./forms.js";
import "./live.js";
import "./words.js";
