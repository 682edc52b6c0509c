// Starts the page: the panel of a playground, the format lab, or a recording. Registers the toolkit before anything is drawn,
// so that its theme applies at once; the parts that the first screen does not need are loaded afterwards.
import './styles.css';
import { render } from 'lit';
import { RpcClient } from '../src/protocol';
import { App } from './app';
import { registerElements } from './elements';
import { connectHost } from './host-client';
import type { LaterParts } from './later';
import { loadLaterParts, renderLater } from './later';
import { followActions } from './panel-actions';
import { Playground } from './playground';
import { useTranslation } from './text/translation';
import { registerToolkit } from './toolkit';

useTranslation(document);
registerToolkit();
registerElements();
const page = document.querySelector<HTMLMetaElement>('meta[name=page]')?.content;
if (page === 'lab') startLater(({ openLab }) => openLab());
else if (page === 'recording') startLater(({ openRecording }) => openRecording());
else startPlayground();

function startPlayground(): void {
  const host = connectHost((post) => new RpcClient(post));
  const playground = new Playground(host);
  followActions(host.client, playground);
  const app = new App();
  app.playground = playground;
  document.body.append(app);
  void playground.start();
  void app.updateComplete
    .then(() => loadLaterParts())
    .then(() => playground.update((state) => ({ ...state, hasLaterParts: true })));
}

function startLater(open: (parts: LaterParts) => unknown): void {
  void loadLaterParts().then(() => render(renderLater(open), document.body));
}
