/** A later version of Tranche wrote this: the work is left to indexers of that version. Nothing of it is lost or dead-lettered. */
export class NewerVersion extends Error {
  override name = "NewerVersion";
}

/** The same of one job: this process continues with others. */
export class NewerJob extends Error {
  override name = "NewerJob";
}
