// The search runs in a worker. A browser starts none for a page that is opened as a file, so there
// the script runs in a hidden frame. Like those of a worker, messages are copied and come later.
// A script of this name keeps Zensical from loading one like it from the network.
if (location.protocol === "file:")
  window.Worker = class {
    #frame = document.createElement("iframe")
    #ready

    constructor(url) {
      this.#frame.hidden = true
      document.body.append(this.#frame)
      const inside = this.#frame.contentWindow
      inside.postMessage = data => setTimeout(() => this.onmessage?.({ data }))
      const script = inside.document.createElement("script")
      script.src = new URL(url, location)
      script.onerror = event => this.onerror?.(event)
      this.#ready = new Promise(resolve => { script.onload = resolve })
      inside.document.body.append(script)
    }

    async postMessage(message) {
      const data = structuredClone(message)
      await this.#ready
      this.#frame.contentWindow?.onmessage({ data })
    }

    terminate() {
      this.#frame.remove()
    }
  }
