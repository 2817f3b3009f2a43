// How is a roll tapped into a sheet of boxes? Dice stand in a row as they are tapped. What they score in each box says the server.

const form = () => /** @type {PageElement | null} */ (document.querySelector("form[data-part=boxes]"));
// The dice and digits stand in the dock, outside the form that they belong to
const dock = () => /** @type {PageElement | null} */ (form() && document.querySelector(".boxes-dock"));
const one = (selector) =>
  /** @type {PageElement | null} */ (form()?.querySelector(selector) ?? dock()?.querySelector(selector));

// What this phone has chosen, rolled and typed. Others' news may draw the sheets and the dock anew, and leave it alone
const NOTHING = { at: "", box: "", roll: "", typed: "" };
let mine = { ...NOTHING };

const tell = (field) => field.dispatchEvent(new Event("input", { bubbles: true }));

function drawRoll() {
  const row = one("[data-roll-shown]");
  if (!row) return;
  const roll = one("[name=roll]").value;
  row.setAttribute("aria-label", `${row.getAttribute("aria-label").replace(/[\d ]+$/, "")} ${[...roll].join(" ")}`);
  row.replaceChildren(...[...roll].map((face) => one(`[data-die="${face}"] svg`).cloneNode(true)));
}

// The dice give way to the sums that the chosen box can hold, where nothing is rolled
function drawKeys() {
  const box = one("[name=box]:checked");
  const roll = one("[name=roll]");
  dock()?.toggleAttribute("data-typing", Boolean(box) && !(roll?.value && "rolled" in box.dataset));
  const sums = box?.dataset.sums.split(" ").filter(Boolean) ?? [];
  one("[data-sums-shown]")?.replaceChildren(
    ...sums.map((sum) => {
      const key = document.createElement("button");
      Object.assign(key, { type: "button", className: "key", textContent: sum });
      key.dataset.sum = sum;
      return key;
    }),
  );
  dock()
    ?.querySelector(".sheet-pad")
    ?.toggleAttribute("hidden", sums.length > 0);
}

function choose(box) {
  const typed = one("[name=typed]");
  if (box.value !== mine.box) typed.value = "";
  mine = { at: one("[name=at]:checked").value, box: box.value, roll: mine.roll, typed: typed.value };
  typed.dataset.kind = box.dataset.kind;
  typed.dataset.most = box.dataset.most || "999999";
  drawKeys();
}

document.addEventListener("click", (event) => {
  const { target } = event;
  if (!dock()?.contains(target)) return;
  const die = target.closest("[data-die]")?.dataset.die;
  const sum = target.closest("[data-sum]")?.dataset.sum;
  if (die) {
    event.preventDefault();
    const roll = one("[name=roll]");
    roll.value = die === "back" ? roll.value.slice(0, -1) : (roll.value + die).slice(0, Number(form().dataset.dice));
    mine.at = one("[name=at]:checked").value;
    drawRoll();
    drawKeys();
    tell(roll);
  } else if (sum) {
    one("[name=typed]").value = sum;
    tell(one("[name=typed]"));
  }
});

document.addEventListener("change", ({ target }) => {
  if (!form()?.contains(target)) return;
  if (target.name === "box") choose(target);
  if (target.name === "at") mine.at = target.value;
});

document.addEventListener("input", ({ target }) => {
  if (dock()?.contains(target) && target.name in mine) mine[target.name] = target.value;
});

// Another's total shows that sheet to read: with dice, this phone writes for whoever rolls, and for the player whose phone it is
function closeOthers() {
  if (!one("[name=roll]")) return;
  const sheets = document.querySelectorAll(".boxes-sheet");
  const rolls = document.querySelector("#heads [data-rolls]")?.id.replace("head-", "");
  const seat = /** @type {PageElement | null} */ (document.querySelector("#stream"))?.dataset.seat;
  for (const sheet of /** @type {NodeListOf<PageElement>} */ (sheets)) {
    const isOpen = sheet.id === `boxes-${rolls}` || sheet.dataset.seats.split(" ").includes(seat);
    for (const box of /** @type {NodeListOf<PageElement>} */ (sheet.querySelectorAll("[name=box]"))) box.disabled = !isOpen;
  }
}

function restore() {
  const box = mine.box && one(`[name=box][value="${mine.box}"]`);
  const at = mine.at && one(`[name=at][value="${mine.at}"]`);
  const [roll, typed] = [one("[name=roll]"), one("[name=typed]")];
  if (at) at.checked = true;
  if (roll) roll.value = mine.roll;
  if (typed) typed.value = mine.typed;
  if (box) {
    box.checked = true;
    choose(box);
  }
  drawRoll();
  drawKeys();
  closeOthers();
  if (typed && (box || mine.roll)) tell(typed);
}

function begin() {
  if (!form()) return;
  drawKeys();
  closeOthers();
}

document.addEventListener("companion:update", () => form() && restore());
document.addEventListener("companion:load", () => {
  mine = { ...NOTHING, box: one("[name=box]:checked")?.value ?? "", roll: one("[name=roll]")?.value ?? "" };
  begin();
});
begin();
