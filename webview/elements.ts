// The panel's own elements and their names: one line each.
import { App } from './app';
import { ComboBox } from './components/combo-box';
import { ContentValue } from './components/content-value';
import { LongText } from './components/long-text';
import { Sash } from './components/sash';
import { SelectBox } from './components/select-box';
import { ToolsMenu } from './components/tools-menu';

const ELEMENTS: Readonly<Record<`pg-${string}`, CustomElementConstructor>> = {
  'pg-combo-box': ComboBox,
  'pg-content-value': ContentValue,
  'pg-long-text': LongText,
  'pg-sash': Sash,
  'pg-select-box': SelectBox,
  'pg-tools-menu': ToolsMenu,
  'pg-app': App,
};

/** To be called once, before anything is drawn. */
export function registerElements(): void {
  for (const [name, element] of Object.entries(ELEMENTS)) customElements.define(name, element);
}
