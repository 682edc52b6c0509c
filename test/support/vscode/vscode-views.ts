// Stand-in for `vscode` in plain Node, for host code that shows trees and asks questions: what the user sees and
// does.
import { EventEmitter, settings, workspace as configured } from './editor-settings';

export { EventEmitter, settings };

export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 };
export const QuickPickItemKind = { Separator: -1, Default: 0 };
export const QuickInputButtons = { Back: { name: 'back' } };
export const InputBoxValidationSeverity = { Info: 1, Warning: 2, Error: 3 };
export const ConfigurationTarget = { Global: 1, Workspace: 2, WorkspaceFolder: 3 };
export const ProgressLocation = { Notification: 15 };
export const StatusBarAlignment = { Left: 1, Right: 2 };

export class ThemeColor {
  readonly id: string;
  constructor(id: string) {
    this.id = id;
  }
}

export class ThemeIcon {
  readonly id: string;
  readonly color: ThemeColor | undefined;
  constructor(id: string, color?: ThemeColor) {
    this.id = id;
    this.color = color;
  }
}

export class TreeItem {
  readonly label: string;
  readonly collapsibleState: number;
  constructor(label: string, collapsibleState = 0) {
    this.label = label;
    this.collapsibleState = collapsibleState;
  }
}

/** An open quick pick or input box. */
export class Input {
  readonly kind: 'pick' | 'box';
  title = '';
  step = 0;
  totalSteps = 0;
  value = '';
  prompt = '';
  password = false;
  placeholder = '';
  busy = false;
  items: { label: string; detail?: string; description?: string }[] = [];
  buttons: unknown[] = [];
  selectedItems: unknown[] = [];
  validationMessage: unknown;
  #isHidden = false;
  readonly #accepted = new EventEmitter<void>();
  readonly #changed = new EventEmitter<string>();
  readonly #hidden = new EventEmitter<void>();
  readonly #pressed = new EventEmitter<unknown>();
  readonly onDidAccept = this.#accepted.event;
  readonly onDidChangeValue = this.#changed.event;
  readonly onDidHide = this.#hidden.event;
  readonly onDidTriggerButton = this.#pressed.event;

  constructor(kind: Input['kind']) {
    this.kind = kind;
  }

  show(): void {
    person.see(this);
  }

  dispose(): void {
    this.escape();
  }

  /** Accepts the item whose label begins with `start`. */
  choose(start: string): void {
    this.selectedItems = this.items.filter(({ label }) => label.startsWith(start)).slice(0, 1);
    if (this.selectedItems.length === 0)
      throw new Error(`there is no ${start}: ${JSON.stringify(this.items)}`);
    this.#accepted.fire();
  }

  type(text: string): void {
    this.value = text;
    this.#changed.fire(text);
  }

  accept(): void {
    this.#accepted.fire();
  }

  back(): void {
    this.#pressed.fire(QuickInputButtons.Back);
  }

  /** Hides the input; listeners are called only once. */
  escape(): void {
    if (this.#isHidden) return;
    this.#isHidden = true;
    this.#hidden.fire();
  }
}

/** The simulated user: one answer function for each question, in order. Records all messages. */
export const person = {
  answers: [] as ((input: Input) => unknown)[],
  seen: [] as Input[],
  messages: [] as unknown[][],
  /** Answers to messages and lists that VS Code itself shows. */
  replies: [] as unknown[],
  commands: [] as unknown[][],
  clipboard: '',
  see(input: Input): void {
    this.seen.push(input);
    const answer = this.answers.shift();
    if (!answer) throw new Error(`nobody answers “${input.title} ${input.placeholder} ${input.prompt}”`);
    // Like a user, answers only after the input is shown.
    setImmediate(() => void answer(input));
  },
};

export function resetPerson(): void {
  for (const list of [person.answers, person.seen, person.messages, person.replies, person.commands])
    list.length = 0;
  person.clipboard = '';
  settings.user = {};
  settings.workspace = {};
  statusItems.length = 0;
}

async function reply(...asked: unknown[]): Promise<unknown> {
  person.messages.push(asked);
  const answer = person.replies.shift();
  return Promise.resolve(typeof answer === 'function' ? (answer(...asked) as unknown) : answer);
}

export interface StatusItem {
  text: string;
  command: unknown;
  isShown: boolean;
}
export const statusItems: StatusItem[] = [];

export const window = {
  createQuickPick: () => new Input('pick'),
  createInputBox: () => new Input('box'),
  showInformationMessage: reply,
  showWarningMessage: reply,
  showErrorMessage: reply,
  showQuickPick: reply,
  showInputBox: reply,
  setStatusBarMessage: (text: string) => void person.messages.push([text]),
  withProgress: (_: unknown, work: (progress: unknown, token: unknown) => unknown) =>
    work({}, { onCancellationRequested: () => undefined }),
  createStatusBarItem: () => {
    const item: StatusItem & Record<string, unknown> = {
      text: '',
      command: undefined,
      isShown: false,
      show: () => (item.isShown = true),
      hide: () => (item.isShown = false),
      dispose: () => (item.isShown = false),
    };
    statusItems.push(item);
    return item;
  },
  activeTextEditor: undefined,
};

/** Only the parts that the tested code reads: name and path. */
export const Uri = {
  from: (parts: object) => parts,
  parse: (text: string) => ({ path: decodeURIComponent(new URL(text).pathname), toString: () => text }),
};

export const workspace = {
  ...configured,
  asRelativePath: ({ path }: { path: string }) => path,
  fs: { stat: () => Promise.reject(new Error('there is no file')) },
  getConfiguration: () => ({
    ...configured.getConfiguration(),
    update: (name: string, value: unknown, target: number) => {
      const scope = target === ConfigurationTarget.Global ? settings.user : settings.workspace;
      scope[name] = value;
      return Promise.resolve();
    },
  }),
};

export const commands = {
  executeCommand: (...asked: unknown[]) => {
    person.commands.push(asked);
    return Promise.resolve();
  },
};

export const env = {
  clipboard: {
    writeText: (text: string) => {
      person.clipboard = text;
      return Promise.resolve();
    },
  },
};

export const l10n = {
  t: (text: string, ...values: (string | number)[]) =>
    text.replaceAll(/\{(\d)\}/g, (_, at: string) => String(values[Number(at)] ?? '')),
};
