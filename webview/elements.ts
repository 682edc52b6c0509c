// The panel's own elements and their names: one line each. Those of the parts that are loaded later are theirs.
import { App } from './app';
import { LongText } from './components/long-text';
import { Sash } from './components/sash';
import { ToolsMenu } from './components/tools-menu';

const ELEMENTS: Readonly<Record<`pg-${string}`, CustomElementConstructor>> = {
  'pg-long-text': LongText,
  'pg-sash': Sash,
  'pg-tools-menu': ToolsMenu,
  'pg-app': App,
};

/** To be called once, before anything is drawn. */
export function registerElements(): void {
  for (const [name, element] of Object.entries(ELEMENTS)) customElements.define(name, element);
}
