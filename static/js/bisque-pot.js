// Is the calculator's pot full? A card too many is not taken, and the page's own sentence says so where the answer stands.

document.addEventListener("change", ({ target }) => {
  const cards = document.querySelector("[data-most]");
  if (!cards) return;
  const tooMany = cards.querySelectorAll(":checked").length > Number(cards.dataset.most);
  if (tooMany) target.checked = false;
  document.getElementById("pot-full").textContent = tooMany ? cards.dataset.full : "";
});
