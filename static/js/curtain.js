// Who holds the phone? Where several people play with one, a blank page asks for the one whose secret comes next.

import { guard } from "./taps.js";
import { say } from "./words.js";

let words = "";
let answer = (_here) => {};

function made(text, cls, isHere) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = cls;
  button.textContent = text;
  button.addEventListener("click", () => lift(isHere));
  return button;
}

function draw() {
  const hanging = document.getElementById("curtain");
  if (!words || hanging) {
    if (!words) hanging?.remove();
    return;
  }
  const curtain = document.createElement("dialog");
  curtain.id = "curtain";
  curtain.className = "curtain";
  curtain.append(made(words, "curtain-words display center", true), made(say("coverBack"), "button ghost", false));
  curtain.addEventListener("cancel", (event) => {
    event.preventDefault();
    lift(false);
  });
  document.body.append(curtain);
  curtain.showModal();
}

function lift(isHere) {
  words = "";
  guard(); // the second half of a double tap is not meant for what lies behind
  draw();
  answer(isHere);
}

// "companion:cover" asks with `words` ("Bo, tap when you hold the phone"), and hears in `answer` whether that person is here
document.addEventListener("companion:cover", ({ detail }) => {
  answer(false);
  ({ words, answer } = detail);
  document.getElementById("curtain")?.remove();
  guard();
  draw();
});

document.addEventListener("companion:load", draw); // another page has come in behind it
