import { CreateSchema1795132800000 } from './1795132800000-create-schema';

/** Every migration, oldest first. */
export const migrations = [CreateSchema1795132800000];
