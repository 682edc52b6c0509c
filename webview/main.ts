// Starts the page: the panel of a playground, or the format lab. Registers the toolkit before anything is drawn,
// so that its theme applies at once; the parts that the first screen does not need are loaded afterwards.
import './styles.css';
import { render } from 'lit';
import { RpcClient } from '../src/protocol';
import { App } from './app';
import { registerElements } from './elements';
import { connectHost } from './host-client';
import { loadLaterParts, renderLater } from './later';
import { followActions } from './panel-actions';
import { Playground } from './playground';
import { useTranslation } from './text/translation';
import { registerToolkit } from './toolkit';

useTranslation(document);
registerToolkit();
registerElements();
if (document.querySelector<HTMLMetaElement>('meta[name=page]')?.content === 'lab') startLab();
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

function startLab(): void {
  void loadLaterParts().then(() =>
    render(
      renderLater(({ openLab }) => openLab()),
      document.body,
    ),
  );
}
