/** Writes the files of the package into an empty folder. */
export declare function writeNpmPackage(folder: string): Promise<void>;
/** @returns path of the tarball, which is in `folder` */
export declare function packNpmPackage(folder: string): Promise<string>;
