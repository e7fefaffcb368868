"use strict";
/* Light and dark, and what happens when the page is entered. It stands last: all other parts are there by then. */
function theme() {
  const chosen = localStorage.getItem("theme") || document.documentElement.dataset.theme;
  if (chosen === "light" || chosen === "dark") return chosen;
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

function applyTheme() {
  document.documentElement.dataset.shown = theme();
  byId("theme").textContent = theme() === "dark" ? "Light" : "Dark";
  linkHow();
}

/* The page that tells the game: the one that is shown, or the one that is chosen in the list. */
function linkHow() {
  const game = state ? state.how : offered && !byId("lobby").hidden ? chosenVariant().game : null;
  for (const link of document.querySelectorAll("[data-how]")) link.href = withToken(`how_to_play?theme=${theme()}${game ? `&game=${game}` : ""}`);
}

async function enter() {
  applyTheme();
  closeMenu();
  hideTip();
  state = null;
  shownAs = null;
  setZoom(1);
  if (!gameName()) return attempt(lobby);
  for (const id of ["undo", "hint", "replay", "record", "leave"]) byId(id).hidden = false;
  return attempt(async () => {
    try {
      if (!offered) offer(await ask("choices"));
      await look(true);
      if (NARROW.matches) zoomTo(firstZoom());
      reachTargets();
    } catch (error) {
      if (error.status === 400) await leaveGone(); /* its file is damaged */
      throw error;
    }
  });
}

byId("new").addEventListener("submit", (event) => { event.preventDefault(); begin(); });
byId("file").addEventListener("change", (event) => openFile(event.target));
byId("undo").addEventListener("click", undo);
byId("hint").addEventListener("click", hint);
byId("leave").addEventListener("click", toLobby);
byId("to-new").addEventListener("click", () => byId("begin").focus());
byId("dismiss").addEventListener("click", hideMessage);
byId("menu").addEventListener("keydown", walkMenu);
byId("tabs").addEventListener("keydown", walkTabs);
for (const button of byId("tabs").children) button.addEventListener("click", () => chooseTab(button.dataset.tab));
NARROW.addEventListener("change", () => { chooseTab(tab); arrange(); });
byId("closer").addEventListener("click", () => zoomTo(zoom * 1.4));
byId("farther").addEventListener("click", () => zoomTo(zoom / 1.4));
byId("ahead-switch").addEventListener("click", switchAhead);
byId("unhint").addEventListener("click", () => { hinted = null; drawHints(); });
byId("hinter").addEventListener("change", () => { localStorage.setItem(hinterKey(), byId("hinter").value); hint(); });
byId("theme").addEventListener("click", () => {
  localStorage.setItem("theme", theme() === "dark" ? "light" : "dark");
  applyTheme();
  if (state) attempt(() => look(true));
});
document.addEventListener("keydown", (event) => {
  if (event.repeat && event.key === "Enter") event.preventDefault(); /* a key held too long makes one move */
  if (event.target.matches("input, select") || byId("help").open || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") {
    if (!byId("tip").hidden) return hideTip();
    if (byId("menu").hidden) hideMessage();
    closeMenu(true);
  }
  if (event.key === "?") openHelp();
  if (event.key === "u" && !byId("undo").disabled && state) undo();
  if (event.key === "h") hint();
  if (state && event.key === "+") zoomTo(zoom * 1.4);
  if (state && event.key === "-") zoomTo(zoom / 1.4);
});
document.addEventListener("click", (event) => {
  if (!byId("menu").contains(event.target) && !event.target.closest(".target")) closeMenu();
  if (!byId("tip").contains(event.target) && !byId("board").contains(event.target)) hideTip();
});
document.addEventListener("visibilitychange", () => { if (!document.hidden) plan(0); });
addEventListener("hashchange", () => { enter(); });
followFingers();
followThings();
chooseTab("map");
enter();
