// Which scripts does every page load on which people enter, count or ask? The home page leaves them out, so the first visit is light.
// base.html has the same list.

import "./table-memory.js";
import "./goals.js";
import "./parts.js";
import "./preview.js";
import "./keypad.js";
import "./outbox-acts.js";
import "./overtaken.js";
import "./live.js";
import "./buzz.js";
import "./last-match.js";
