// The button at a block with a terminal's output copies the commands only, without their prompt.
addEventListener("click", event => {
  const button = event.target.closest?.("[data-clipboard-target]")
  const code = button && document.querySelector(button.dataset.clipboardTarget)
  if (!code?.querySelector(".gp")) return
  const lines = code.textContent.split("\n").filter(line => line.startsWith("$ "))
  button.dataset.clipboardText = lines.map(line => line.slice(2)).join("\n")
}, { capture: true })
