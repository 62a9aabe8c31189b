import { CreateSchema1795132800000 } from './1795132800000-create-schema';
import { ImageSurveysListsAndKeys1795136400000 } from './1795136400000-image-surveys-lists-and-keys';
import { AuditVersionsAndIdempotency1795140000000 } from './1795140000000-audit-versions-and-idempotency';

/** Every migration, oldest first. */
export const migrations = [
  CreateSchema1795132800000,
  ImageSurveysListsAndKeys1795136400000,
  AuditVersionsAndIdempotency1795140000000,
];
