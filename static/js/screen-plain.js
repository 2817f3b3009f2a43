// How does a picture stay new where the script of newer browsers does not run? That may be a module, or words in it, too new for a
// television, or it never arrived. The page is loaded every ten seconds, if the server is there: without that question an
// error of the browser's own would stay in sight, and nothing would load the page again.

var picture = document.getElementById("screen"); // a list of tables has none
var left = picture ? Number(picture.getAttribute("data-left")) : 0;

function ask() {
  if (document.documentElement.hasAttribute("data-renews")) return; // the newer script runs
  var asking = new XMLHttpRequest();
  asking.open("GET", location.href);
  asking.onload = function () {
    if (asking.status === 200) location.reload();
  };
  asking.send();
}

setInterval(ask, 10000);
// the link to play stays for so many seconds, also while the server is away
if (left)
  setTimeout(function () {
    /** @type {HTMLElement} */ (picture.querySelector(".scan")).style.visibility = "hidden";
    ask();
  }, left * 1000);
