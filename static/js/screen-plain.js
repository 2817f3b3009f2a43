// How does a picture stay new on a television whose browser knows no modules? It is loaded every ten seconds, if the server is
// there. Without that question an error of the browser's own would stay in sight, and nothing would load the page again.

setInterval(function () {
  var asking = new XMLHttpRequest();
  asking.open("GET", location.href);
  asking.onload = function () {
    if (asking.status === 200) location.reload();
  };
  asking.send();
}, 10000);
