import { CreateSchema1795132800000 } from './1795132800000-create-schema';
import { ImageSurveysListsAndKeys1795136400000 } from './1795136400000-image-surveys-lists-and-keys';

/** Every migration, oldest first. */
export const migrations = [CreateSchema1795132800000, ImageSurveysListsAndKeys1795136400000];
