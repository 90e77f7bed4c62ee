"""Parameters of web addresses that count visitors or choose a layout: they do not say which page is meant."""

import re
from typing import Final

from core.text.tokens import word_list

# A hyphen at the end stands for any letters.
_NAMES: Final = """
    utm_- fbclid fb_- gclid gclsrc dclid gbraid wbraid gad_- msclkid yclid ysclid twclid ttclid tclid epik
    li_fat_id irclickid rb_clickid s_kwcid ef_id srsltid _openstat igshid igsh mc_- mkt_tok _ga- _gl ga_- _hs-
    hsa_- pk_- mtm_- matomo_- piwik_- vero_id vero_conv oly_enc_id oly_anon_id ref ref_src ref_url referrer
    referer cmp cmpid campaign sc_campaign sc_channel cid_source icid ncid ocid s_cid ito at_- ns_- wt_- wt.-
    xtor ftag smid smtyp smprod partner share shared sh spm sref taid guccounter guce_- mod mbid emc nl track
    ssr soc_src soc_trk sr_share __twitter_impression __tn__ outputtype amp amp_js_v amp_gsa usqp view_amp
    from_source feature_flag rss rssfeed isrss
"""
VISITS: Final = re.compile(
    "(?:amp;)?(?:" + "|".join(re.escape(name).replace(r"\-", r"\w*") for name in word_list(_NAMES)) + ")",
    re.IGNORECASE,
)
