// Starts the panel. The toolkit is registered before anything is drawn, so that its theme is there at once;
// what the first screen does without is loaded after it.
import './styles.css';
import { RpcClient } from '../src/protocol';
import { App } from './app';
import { registerElements } from './elements';
import { connectHost } from './host-client';
import { loadLaterParts } from './later';
import { Playground } from './playground';
import { useTranslation } from './text/translation';
import { registerToolkit } from './toolkit';

useTranslation(document);
registerToolkit();
registerElements();
const playground = new Playground(connectHost((post) => new RpcClient(post)));
const app = new App();
app.playground = playground;
document.body.append(app);
void playground.start();
void app.updateComplete
  .then(() => loadLaterParts())
  .then(() => playground.update((state) => ({ ...state, hasLaterParts: true })));
