// The panel's custom elements and their names, one line each. Elements of the parts loaded later are registered
// there.
import { App } from './app';
import { ClampedText } from './components/controls/clamped-text';
import { LongText } from './components/controls/long-text';
import { MenuButton } from './components/controls/menu-button';
import { Sash } from './components/controls/sash';
import { SelectBox } from './components/controls/select-box';
import { Composer } from './components/frame/composer';
import { DocumentBanner } from './components/frame/document-banner';
import { SystemPrompt } from './components/frame/system-prompt';
import { ToolsMenu } from './components/frame/tools-menu';
import { ViewBar } from './components/frame/view-bar';
import { Inspector } from './components/inspector/inspector';
import { Lane } from './components/lane/lane';
import { LaneBar } from './components/lane/lane-bar';
import { LaneStrip } from './components/lane/lane-strip';
import { CallList } from './components/transcript/call-list';
import { GrowingText } from './components/transcript/growing-text';
import { LiveTurn } from './components/transcript/live-turn';
import { Transcript } from './components/transcript/transcript';
import { Turn } from './components/transcript/turn';

const ELEMENTS: Readonly<Record<`pg-${string}`, CustomElementConstructor>> = {
  'pg-call-list': CallList,
  'pg-clamped-text': ClampedText,
  'pg-composer': Composer,
  'pg-document-banner': DocumentBanner,
  'pg-growing-text': GrowingText,
  'pg-inspector': Inspector,
  'pg-lane': Lane,
  'pg-lane-bar': LaneBar,
  'pg-lane-strip': LaneStrip,
  'pg-live-turn': LiveTurn,
  'pg-long-text': LongText,
  'pg-menu-button': MenuButton,
  'pg-sash': Sash,
  'pg-select-box': SelectBox,
  'pg-system-prompt': SystemPrompt,
  'pg-tools-menu': ToolsMenu,
  'pg-transcript': Transcript,
  'pg-turn': Turn,
  'pg-view-bar': ViewBar,
  'pg-app': App,
};

/** Must be called once, before anything is drawn. */
export function registerElements(): void {
  for (const [name, element] of Object.entries(ELEMENTS)) customElements.define(name, element);
}
