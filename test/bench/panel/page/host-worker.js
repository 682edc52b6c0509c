// The other side of the page: frames come and go beside its main thread, as they do in an editor.
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

/** They arrive in their order, and not before there is a way back. */
let sent = opened;
self.addEventListener('message', ({ data }) => {
  const post = () => fetch('/request', { method: 'POST', body: JSON.stringify(data) });
  sent = sent.then(post);
});
void follow();
