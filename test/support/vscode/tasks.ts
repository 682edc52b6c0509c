// Tasks for the stand-in of `vscode`: what an extension says of them.

export const TaskGroup = { Test: 'test' };

export class ProcessExecution {
  readonly process: string;
  readonly args: string[];
  readonly options: unknown;

  constructor(process: string, args: string[], options: unknown) {
    this.process = process;
    this.args = args;
    this.options = options;
  }
}

export class Task {
  readonly definition: unknown;
  readonly scope: unknown;
  readonly name: string;
  readonly source: string;
  readonly execution: ProcessExecution;
  readonly problemMatchers: string;
  group: unknown;

  constructor(...[definition, scope, name, source, execution, matchers]: TaskParts) {
    this.definition = definition;
    this.scope = scope;
    this.name = name;
    this.source = source;
    this.execution = execution;
    this.problemMatchers = matchers;
  }
}
type TaskParts = [
  definition: unknown,
  scope: unknown,
  name: string,
  source: string,
  execution: ProcessExecution,
  matchers: string,
];
