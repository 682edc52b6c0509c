export interface TestFile {
  readonly name: string;
  readonly status: string;
  readonly message?: string;
  readonly assertionResults: readonly {
    readonly status: string;
    readonly title: string;
    readonly ancestorTitles: readonly string[];
  }[];
}
export declare function countTests(files: readonly TestFile[]): {
  passed: number;
  failed: number;
  failures: string[];
};
export declare function listFailures(
  results: readonly { name: string; failures?: readonly string[] }[],
): string[];
