// The custom elements of the parts that are loaded later, and their names, one line each.
import { ComboBox } from './components/controls/combo-box';
import { ContentValue } from './components/controls/content-value';
import { EmbeddingPanel } from './components/embeddings/embedding-panel';
import { EvaluationInspector } from './components/evaluate/evaluation-inspector';
import { EvaluationPanel } from './components/evaluate/evaluation-panel';
import { EvaluationRows } from './components/evaluate/evaluation-rows';
import { ExpectationEditor } from './components/evaluate/expectation-editor';
import { Doctor } from './components/inspector/reply/doctor';
import { ReadAgain } from './components/inspector/rescue/read-again';
import { RescueTrace } from './components/inspector/rescue/rescue-trace';
import { RenderedPromptSection } from './components/inspector/rendered-prompt';
import { WireFiles } from './components/inspector/wire-files';
import { LaneSettings } from './components/lane/lane-settings';
import { RenderedReply } from './components/transcript/rendered-reply';
import { LabApp } from './lab/lab-app';
import { RecordingApp } from './recording/recording-app';
import { RequestInspector } from './recording/request-inspector';
import { RequestTable } from './recording/request-table';
import { ToolsPanel } from './components/tools/tools-panel';

export const LATER_ELEMENTS: Readonly<Record<`pg-${string}`, CustomElementConstructor>> = {
  'pg-combo-box': ComboBox,
  'pg-content-value': ContentValue,
  'pg-doctor': Doctor,
  'pg-embedding-panel': EmbeddingPanel,
  'pg-evaluation': EvaluationPanel,
  'pg-evaluation-inspector': EvaluationInspector,
  'pg-evaluation-rows': EvaluationRows,
  'pg-expectation-editor': ExpectationEditor,
  'pg-lab': LabApp,
  'pg-lane-settings': LaneSettings,
  'pg-read-again': ReadAgain,
  'pg-recording': RecordingApp,
  'pg-rendered-reply': RenderedReply,
  'pg-rendered-prompt': RenderedPromptSection,
  'pg-request-inspector': RequestInspector,
  'pg-request-table': RequestTable,
  'pg-rescue-trace': RescueTrace,
  'pg-tools-panel': ToolsPanel,
  'pg-wire-files': WireFiles,
};
