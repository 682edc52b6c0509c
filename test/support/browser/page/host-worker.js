// The page's connection to the host, in a worker: frames are transferred outside of its main thread, as in an
// editor.
const opened = fetch('/events');

async function follow() {
  const { body } = await opened;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split('\n');
    rest = lines.pop();
    for (const line of lines) self.postMessage(JSON.parse(line), []);
  }
}

/** Requests are sent in order, and not before the channel for events is open. */
let sent = opened;
self.addEventListener('message', ({ data }) => {
  const post = () => fetch('/request', { method: 'POST', body: JSON.stringify(data) });
  sent = sent.then(post);
});
void follow();
