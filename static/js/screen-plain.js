// How does a picture stay new on a television whose browser knows no modules? It is loaded every ten seconds, if the server is
// there. Without that question an error of the browser's own would stay in sight, and nothing would load the page again.

var picture = document.getElementById("screen"); // a list of tables has none
var left = picture ? Number(picture.getAttribute("data-left")) : 0;

function ask() {
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
