// Actions of the view *Tools* other than typing, and which tool it shows. Does not touch the DOM.
import type { DocumentEdit, DocumentSnapshot, ToolCheck, ToolView } from '../../src/protocol';
import type { Playground } from '../playground';
import type { ToolScene } from './tool-edits';
import { toolScene } from './tool-edits';

const known = new WeakMap<Playground, ToolActions>();

/** One instance for each panel. */
export function toolActionsOf(playground: Playground): ToolActions {
  const actions = known.get(playground) ?? new ToolActions(playground);
  known.set(playground, actions);
  return actions;
}

/** The chosen tool; the last one until the document has the chosen one. */
export const selectedTool = (toolId: string | undefined, tools: readonly ToolView[]): ToolView | undefined =>
  toolId === undefined ? tools[0] : (tools.find(({ id }) => id === toolId) ?? tools.at(-1));

export class ToolActions {
  readonly #playground: Playground;
  #document: DocumentSnapshot | undefined;
  /** Queue of actions: each one starts from the result of the previous one. */
  #work: Promise<unknown> = Promise.resolve();
  #isNewAwaited = false;
  /** What the servers were last asked about; absent before the first time. */
  #asked: { document: DocumentSnapshot; servers: string } | undefined;
  #isAsking = false;

  constructor(playground: Playground) {
    this.#playground = playground;
    this.#document = playground.state.session.document;
    playground.subscribe(() => this.#follow());
  }

  /** Runs an action on a tool; pending texts are sent first. @returns whether it succeeded */
  act(toolId: string, toEdits: (scene: ToolScene) => readonly DocumentEdit[]): Promise<boolean> {
    const typed = this.#playground.fields.flush();
    const done = this.#work.then(async () => {
      await typed;
      const { session, view } = this.#playground.state;
      const scene = toolScene(session.document, toolId, view.fields);
      const edits = scene ? toEdits(scene) : [];
      return edits.length > 0 && this.#playground.edit(edits);
    });
    this.#work = done.catch(() => undefined);
    return done;
  }

  /** Asks what the servers of the lanes refuse, if tools, lanes or connections have changed since. The state gets the answer. */
  async needChecks(): Promise<void> {
    const { document } = this.#playground.state.session;
    const servers = this.#serversNow();
    if (!document || servers === undefined || document.tools.length === 0 || this.#isAsking) return;
    const isOtherServer = this.#asked?.servers !== servers;
    if (!isOtherServer && this.#asked?.document === document) return;
    this.#asked = { document, servers };
    // What another server refused says nothing about this one.
    if (isOtherServer) this.#show([]);
    this.#isAsking = true;
    const answer = await this.#playground.ask('tool/check', {});
    this.#isAsking = false;
    if (answer && this.#serversNow() === servers) this.#show(answer.checks);
    await this.needChecks();
  }

  /** A text that changes with the connections of the lanes and their settings; undefined until those are known. */
  #serversNow(): string | undefined {
    const { document, environment } = this.#playground.state.session;
    const connections = document?.document.lanes.map(({ connection }) => connection);
    return environment && JSON.stringify([environment.version, connections]);
  }

  #show(toolChecks: readonly ToolCheck[]): void {
    this.#playground.update((state) =>
      state.toolChecks.length + toolChecks.length === 0 ? state : { ...state, toolChecks },
    );
  }

  /** Like `act` for an action that creates a tool, which is selected as soon as it exists. */
  async make(work: () => Promise<boolean>): Promise<boolean> {
    this.#isNewAwaited = true;
    await this.#playground.fields.flush();
    await this.#work;
    const isMade = await work();
    if (!isMade) this.#isNewAwaited = false;
    return isMade;
  }

  /** Keeps the shown tool, and shows a new one, or the neighbour of one that is gone. */
  #follow(): void {
    const { session, view } = this.#playground.state;
    const { document } = session;
    if (!document || document === this.#document) return;
    const { tools: before } = this.#document ?? document;
    const { tools } = document;
    this.#document = document;
    const ids = tools.map(({ id }) => id);
    const added = ids.findLast((each) => !before.some(({ id }) => id === each));
    if (this.#isNewAwaited && added !== undefined) {
      this.#isNewAwaited = false;
      return this.#playground.setView({ toolId: added });
    }
    const at = before.findIndex(({ id }) => id === (view.toolId ?? before[0]?.id));
    const shown = before[at]?.id;
    // One that the document did not have before is selected already.
    if (shown === undefined) return;
    const toolId = ids.includes(shown) ? shown : (ids[at] ?? ids.at(-1));
    if (toolId !== view.toolId) this.#playground.setView({ toolId });
  }
}
