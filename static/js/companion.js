// What does every page load? Each module answers the question at its head. Nothing in this folder scores or judges; it asks the
// server. The same list stands in base.html as modulepreload links, so that no module waits for another.

import "./announce.js";
import { isLost, isTaken } from "./connection.js";
import "./places.js";
import "./taps.js";
import "./steps.js";
import "./pages.js";
import { entries } from "./outbox-store.js";
import "./outbox-order.js";
import "./outbox-words.js";
import "./offline.js";
import "./kept-pages.js";
import "./navigation.js";
import "./dialogs.js";
import "./toast.js";
import "./outbox.js";
import "./forms.js";
import "./words.js";

// The home page shows the tables that this phone has, whatever the server offers
const showTables = () => (isTaken() || isLost()) && document.querySelector("[data-phone-tables]") && import("./take-along.js");
document.addEventListener("companion:load", showTables);
showTables();

// Only a match keeps the screen awake
const keepAwake = () => document.querySelector("[data-awake], [data-awake-switch]") && import("./awake.js");
document.addEventListener("companion:load", keepAwake);
keepAwake();

// Where nothing is entered, something may still wait that was entered elsewhere
document.addEventListener("companion:outbox", () => entries().length && import("./outbox-acts.js"));
