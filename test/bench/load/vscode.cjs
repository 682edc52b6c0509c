// Stands in for `vscode` while a bundle is loaded: every member is a class that does nothing.
module.exports = new Proxy(
  {},
  {
    get: () =>
      class {
        dispose() {}
      },
  },
);
