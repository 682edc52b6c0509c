export declare function describeUnhandled(error: {
  readonly name?: string;
  readonly message?: string;
  readonly VITEST_TEST_PATH?: string;
}): string;
