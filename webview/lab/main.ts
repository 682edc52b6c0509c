// Starts the format lab. The toolkit is registered before anything is drawn, so that its theme is there at once.
import { LabClient } from '../../src/protocol';
import { ContentValue } from '../components/controls/content-value';
import { LongText } from '../components/controls/long-text';
import { SelectBox } from '../components/controls/select-box';
import { RescueTrace } from '../components/inspector/rescue-trace';
import { connectHost } from '../host-client';
import { useTranslation } from '../text/translation';
import { registerToolkit } from '../toolkit';
import { Lab } from './lab';
import { LabApp } from './lab-app';

const ELEMENTS: Readonly<Record<`pg-${string}`, CustomElementConstructor>> = {
  'pg-content-value': ContentValue,
  'pg-long-text': LongText,
  'pg-rescue-trace': RescueTrace,
  'pg-select-box': SelectBox,
  'pg-lab': LabApp,
};

useTranslation(document);
registerToolkit();
for (const [name, element] of Object.entries(ELEMENTS)) customElements.define(name, element);
const lab = new Lab(connectHost((post) => new LabClient(post)));
const app = new LabApp();
app.lab = lab;
document.body.append(app);
void lab.start();
