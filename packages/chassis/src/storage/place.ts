import type { Disk } from 'flydrive';

/** A stored file. */
export interface StoredObject {
  key: string;
  /** Its size in bytes. */
  size: number;
  changed_at: Date;
}

/** Where a service stores its files: a folder, or a bucket of S3. A key is `<workspace>/<object>`. */
export interface Place {
  /** Its name in the log. */
  name: string;
  /** Opens the disk once, for the first file, because many processes never receive one. */
  disk(): Promise<Disk>;
  /** Returns the path of a key on the disk. */
  pathOf(key: string): string;
  /** Restricts access to an object that was just stored. */
  restrict(key: string): Promise<void>;
  /** Calls `work` with a local file that has the content of an object. */
  withFile<T>(key: string, work: (path: string) => Promise<T>): Promise<T>;
  /** Returns the names of all folders. Each workspace with files has one. */
  folders(): Promise<string[]>;
  /** Returns the objects of a workspace. */
  list(workspace_id: string): Promise<StoredObject[]>;
}
