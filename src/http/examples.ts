/**
 * The post_id in the documentation's examples. On the documentation page it stands for the
 * campaign that was created there last, so that every example works when sent unchanged.
 */
export const EXAMPLE_POST_ID = 'post_01k9x2v8zdf3xbz0q4v5rk6t7m';

/** The key_id in the documentation's examples; stands for the key generated on the page last. */
export const EXAMPLE_KEY_ID = 'key_01k9x2v8zdf3xbz0q4v5rk6t7m';
