# ruff: noqa: PLR0917 (each sample is made of the same facts)
"""Two headlines in the format of each source of shapes.toml, as that source writes them; own words."""

import csv
import io
import json
from datetime import UTC, datetime

TITLES = ("Ferry with 40 passengers runs aground off Lindholm", "Central bank of Norland lifts its key rate")
OUTLETS = ("Harbour Post", "Finance Wire")
ADDRESSES = ("https://harbour.example/ferry", "https://finance.example/rate")
DAYS = ("2024-01-15", "2024-01-16")
TIMES = ("2024-01-15T06:10:00Z", "2024-01-16T09:00:00Z")
SECONDS = (1705299000, 1705395600)
TEXT = "The ferry lay on a sandbank for two hours. Nobody was hurt, the harbour master said on Monday."
ROWS = tuple(zip(TITLES, OUTLETS, ADDRESSES, DAYS, TIMES, SECONDS, strict=True))


def rows(make):
    return [make(*row) for row in ROWS]


def as_json(make, around=None):
    found = rows(make)
    return "answer.json", json.dumps(around(found) if around else found)


def as_lines(make):
    return "crawl.jsonl", "\n".join(map(json.dumps, rows(make)))


def as_csv(make, *, header=True, delimiter=",", name="export.csv"):
    found = rows(make)
    file = io.StringIO()
    writer = csv.writer(file, delimiter=delimiter, lineterminator="\n")
    if header:
        writer.writerow(found[0])
    writer.writerows(row.values() if isinstance(row, dict) else row for row in found)
    return name, file.getvalue()


def spread(names, **values):
    """A row of all the columns of an export, most of them empty."""
    return {name: values.get(name.replace(" ", "_").replace("-", "_"), "") for name in names.split(",")}


def gkg(title, outlet, url, day, time, seconds):
    stamp = time.translate({ord(sign): None for sign in "-:TZ"})
    extras = "<PAGE_LINKS>https://x.example</PAGE_LINKS><PAGE_AUTHORS>A. Reporter</PAGE_AUTHORS>"
    extras += f"<PAGE_TITLE>{title}</PAGE_TITLE>"
    return [f"{stamp}-7", stamp, "1", outlet, url, *[""] * 10, "-1.2,3.4,5,6,7,8,300", *[""] * 10, extras]


def meltwater(title, outlet, url, day, time, seconds):
    names = (
        "Date,Headline,URL,Opening Text,Hit Sentence,Source,Influencer,Country,Subregion,Language,Reach,AVE"
    )
    stamp = f"{day[8:]}-Jan-2024 06:10AM"
    own = {
        "Opening_Text": TEXT,
        "Hit_Sentence": f"... {TEXT} ...",
        "Influencer": "A. Reporter",
        "Reach": "4200",
    }
    return spread(names, Date=stamp, Headline=title, URL=url, Source=outlet, Language="English", **own)


def meltwater_new(title, outlet, url, day, time, seconds):
    names = (
        "Date,Time,Document ID,URL,Input Name,Keywords,Information Type,Source Type,Source Name,"
        "Source Domain,"
        "Content Type,Author Name,Author Handle,Title,Opening Text,Hit Sentence,Country,Language,Reach,AVE"
    )
    own = {"Document_ID": "aB3", "Opening_Text": TEXT, "Hit_Sentence": TEXT, "Source_Domain": "x.example"}
    return spread(names, Date=day, Time=time[11:16], Title=title, URL=url, Source_Name=outlet, **own)


def playlist_item(title, outlet, url, day, time, seconds):
    own = {
        "publishedAt": "2024-05-01T00:00:00Z",
        "channelTitle": "Somebody's list",
        "thumbnails": {},
        "playlistId": "P",
    }
    own |= {
        "channelId": "C",
        "title": title,
        "description": TEXT,
        "resourceId": {},
        "videoOwnerChannelTitle": outlet,
    }
    return {"snippet": own, "contentDetails": {"videoPublishedAt": time}}


def card(title, outlet, url, day, time, seconds):
    own = {
        "name": title,
        "desc": TEXT,
        "idBoard": "b",
        "idList": "l",
        "idShort": 1,
        "due": time,
        "closed": False,
    }
    return own | {"dateLastActivity": "2024-05-01T00:00:00Z", "attachments": [{"url": url}]}


def bluesky(title, outlet, url, day, time, seconds):
    record = {"text": title, "createdAt": time, "embed": {"external": {"uri": url, "title": title}}}
    author = {"handle": "a.example", "displayName": outlet, "createdAt": "2023-05-01T00:00:00Z"}
    return {
        "post": {
            "uri": "at://x",
            "cid": "c",
            "author": author,
            "record": record,
            "indexedAt": "2024-05-01",
            "labels": [],
            "embed": {"external": {"uri": url, "title": title, "description": "", "thumb": "x"}},
        }
    }


def message(names, embedded):
    title, url, outlet = embedded

    def made(own_title, own_outlet, own_url, day, time, seconds):
        told = {title: own_title, url: own_url, **outlet(own_outlet)}
        own = {"type": "message", "user": "U1", "text": f"<{own_url}>", "ts": f"{seconds}.0002"}
        own |= {
            "id": "1",
            "timestamp": time,
            "content": own_url,
            "author": {"name": "kim"},
            "blocks": [{}],
            "reactions": [],
        }
        return {name: own.get(name, [told]) for name in names.split()}

    return made


SAMPLES = {
    "json_feed": as_json(
        lambda title, outlet, url, day, time, seconds: {
            "id": url,
            "url": url,
            "date_published": time,
            "title": title,
            "content_text": TEXT,
        },
        lambda rows: {"version": "https://jsonfeed.org/version/1.1", "title": "Feed", "items": rows},
    ),
    "youtube_playlist": as_json(playlist_item, lambda rows: {"kind": "x", "items": rows}),
    "trello": as_json(
        card,
        lambda rows: {
            "id": "b",
            "labels": [{"name": "zoo"}] * 5,
            "cards": rows,
            "actions": [
                {"id": "a", "date": "2024-05-01T00:00:00Z", "data": {"text": "please check the number"}}
            ]
            * 9,
        },
    ),
    "asana": as_json(
        lambda title, outlet, url, day, time, seconds: {
            "gid": "1",
            "name": title,
            "due_on": day,
            "completed": False,
        },
        lambda rows: {"data": rows},
    ),
    "crowdtangle": as_csv(
        lambda title, outlet, url, day, time, seconds: {
            "Page Name": outlet,
            "Page Created": "2009-05-01",
            "Post Created": time,
            "Message": "Read more",
            "Link": "https://bit.ly/x",
            "Final Link": url,
            "Link Text": title,
        }
    ),
    "bluesky": as_json(bluesky, lambda rows: {"cursor": "x", "feed": rows}),
    "activitypub": as_json(
        lambda title, outlet, url, day, time, seconds: {
            "id": "x",
            "type": "Create",
            "actor": "https://s.example/u",
            "published": time,
            "object": {
                "type": "Note",
                "published": time,
                "url": url,
                "content": f"<p>{title}</p><p>{TEXT}</p>",
            },
        },
        lambda rows: {"type": "OrderedCollection", "orderedItems": rows},
    ),
    "trove": as_json(
        lambda title, outlet, url, day, time, seconds: {
            "id": "1526",
            "url": "https://api.library.example/1526",
            "heading": title,
            "category": "Article",
            "title": {"id": "35", "title": outlet},
            "date": day,
            "troveUrl": url,
        },
        lambda rows: {"category": [{"code": "newspaper", "records": {"n": 2, "article": rows}}]},
    ),
    "csl_json": as_json(
        lambda title, outlet, url, day, time, seconds: {
            "id": "http://zotero.org/items/K0",
            "type": "article-newspaper",
            "container-title": outlet,
            "source": "Zotero",
            "title": title,
            "URL": url,
            "accessed": {"date-parts": [["2026", 4, 2]]},
            "issued": {"date-parts": [[int(part) for part in day.split("-")]]},
        }
    ),
    "omeka": as_csv(
        lambda title, outlet, url, day, time, seconds: {
            "Item Id": "301",
            "Item URI": url,
            "Dublin Core:Title": title,
            "Dublin Core:Date": day,
            "Dublin Core:Publisher": "Town library",
            "Dublin Core:Is Part Of": outlet,
            "public": "1",
        }
    ),
    "proquest": as_csv(
        lambda title, outlet, url, day, time, seconds: {
            "Title": title,
            "StoreId": "3100000",
            "entryDate": "2024-02-01",
            "pubdate": day,
            "pubtitle": outlet,
            "DocumentURL": url,
            "publisherName": "Harbour Media",
        }
    ),
    "marc": as_csv(
        lambda title, outlet, url, day, time, seconds: {
            "001": "FRBM001",
            "245$a": title,
            "245$b": "",
            "773$t": outlet,
            "260$c": day.replace("-", ""),
            "856$u": url,
        }
    ),
    "ninjs": as_json(
        lambda title, outlet, url, day, time, seconds: {
            "uri": "http://wire.example/text/1",
            "versioncreated": "2024-02-01T11:00:00Z",
            "firstcreated": time,
            "infosources": [{"name": outlet}],
            "headlines": [{"role": "main", "value": title}, {"role": "short", "value": "FERRY"}],
            "altids": {"web": url},
            "bodies": [{"role": "main", "value": TEXT}],
        },
        lambda rows: {"total": 2, "items": rows},
    ),
    "lemmy": as_json(
        lambda title, outlet, url, day, time, seconds: {
            "post": {
                "id": 9,
                "name": title,
                "url": url,
                "published": time,
                "embed_title": f"{title} • The site",
            },
            "creator": {"name": "fixer", "published": "2023-06-12T08:00:00Z"},
            "community": {"name": "harbours", "title": "Harbours"},
            "counts": {"comments": 12},
        },
        lambda rows: {"posts": rows},
    ),
    "meta_content_library": as_csv(
        lambda title, outlet, url, day, time, seconds: {
            "id": "5",
            "mcl_url": "https://social.example/5",
            "post_owner.name": outlet,
            "text": "Stay safe out there, all of you! More in the link below.",
            "link_attachment.link": url,
            "link_attachment.name": title,
            "link_attachment.caption": "HARBOUR.EXAMPLE",
            "creation_time": time,
            "modified_time": "2024-02-01",
        }
    ),
    "ground_truth": as_lines(
        lambda title, outlet, url, day, time, seconds: {
            "source": title,
            "source-ref-id": "s3://bucket/0",
            "task": 0,
            "task-metadata": {"class-name": "News", "creation-date": "2026-03-14T07:42:00"},
        }
    ),
    "x_archive": (
        "tweets.js",
        "window.YTD.tweets.part0 = "
        + as_json(
            lambda title, outlet, url, day, time, seconds: {
                "tweet": {
                    "id_str": str(seconds),
                    "created_at": datetime.fromtimestamp(seconds, UTC).strftime("%a %b %d %H:%M:%S +0000 %Y"),
                    "full_text": f"{title} https://t.co/Qx81kLmPzR",
                    "display_text_range": ["0", "80"],
                    "entities": {"hashtags": [], "urls": [{"url": "https://t.co/Qx81", "expanded_url": url}]},
                    "lang": "en",
                }
            }
        )[1],
    ),
    "x_analytics": as_csv(
        lambda title, outlet, url, day, time, seconds: {
            "Post id": "1",
            "Date": day,
            "Post text": f"{title} https://t.co/Qx81kLmPzR",
            "Post Link": url,
            "Impressions": "2000",
        }
    ),
    "opoint": as_json(
        lambda title, outlet, url, day, time, seconds: {
            "id_site": 100,
            "id_article": 5000,
            "header": {"matches": 1, "text": title},
            "body": {"matches": 2, "text": TEXT},
            "unix_timestamp": seconds,
            "first_source": {"id": 9, "name": outlet, "url": "https://x.example/rss"},
            "orig_url": url,
            "language": {"text": "en", "encoding": "UTF-8"},
        },
        lambda rows: {"searchresult": {"documents": 2, "document": rows}},
    ),
    "maxqda": as_csv(
        lambda title, outlet, url, day, time, seconds: {
            "Document group": outlet,
            "Document name": f"{day}_p01",
            "Code": "Frame > Conflict",
            "Segment": title,
            "Modified by": "MLopez",
            "Modified": "2026-04-01 10:00",
        }
    ),
    "slack": as_json(
        message(
            "type user text ts blocks attachments",
            ("title", "title_link", lambda name: {"service_name": name}),
        )
    ),
    "discord": as_json(
        message(
            "id type timestamp content author reactions embeds",
            ("title", "url", lambda name: {"author": {"name": name}}),
        ),
        lambda rows: {"guild": {"name": "News"}, "channel": {"name": "clips"}, "messages": rows},
    ),
    "hlgd_timeline": as_csv(
        lambda title, outlet, url, day, time, seconds: {
            "headline": title,
            "date": day,
            "url": url,
            "source": outlet,
            "annot_1_group": "1",
            "annot_2_group": "2",
            "global_group": "1",
        }
    ),
    "uci_news_aggregator": as_csv(
        lambda title, outlet, url, day, time, seconds: [
            "1",
            title,
            url,
            outlet,
            "b",
            "dPhGU51DcrolUIMxbRm0InaHGA2XM",
            "x.example",
            str(seconds * 1000),
        ],
        header=False,
        delimiter="\t",
    ),
    "newsapi": as_json(
        lambda title, outlet, url, day, time, seconds: {
            "source": {"id": None, "name": outlet},
            "author": None,
            "title": title,
            "description": TEXT,
            "url": url,
            "urlToImage": None,
            "publishedAt": time,
            "content": "The ferry lay… [+1200 chars]",
        },
        lambda found: {"status": "ok", "totalResults": 2, "articles": found},
    ),
    "gnews": as_json(
        lambda title, outlet, url, day, time, seconds: {
            "id": "a1",
            "title": title,
            "description": TEXT,
            "content": TEXT,
            "url": url,
            "image": "https://x.example/i.jpg",
            "publishedAt": time,
            "lang": "en",
            "source": {"id": "s", "name": outlet, "url": "https://x.example", "country": "gb"},
        },
        lambda found: {
            "information": {"realTimeArticles": {"message": "…"}},
            "totalArticles": 2,
            "articles": found,
        },
    ),
    "gnews_package": as_json(
        lambda title, outlet, url, day, time, seconds: {
            "title": f"{title}",
            "description": title,
            "published date": f"Mon, {day[8:]} Jan 2024 06:10:00 GMT",
            "url": url,
            "publisher": {"href": "https://x.example", "title": outlet},
        }
    ),
    "google_news_entries": as_csv(
        lambda title, outlet, url, day, time, seconds: {
            "title": title,
            "title_detail": str({"type": "text/plain", "language": None, "base": "", "value": title}),
            "links": str([{"rel": "alternate", "type": "text/html", "href": url}]),
            "link": url,
            "id": "CBMi",
            "guidislink": False,
            "published": f"Mon, {day[8:]} Jan 2024 06:10:00 GMT",
            "published_parsed": "time.struct_time(tm_year=2024)",
            "summary": f'<a href="{url}">{title}</a>',
            "source": str({"href": "https://x.example", "title": outlet}),
            "sub_articles": "[]",
        }
    ),
    "google_news_package": as_csv(
        lambda title, outlet, url, day, time, seconds: {
            "title": title,
            "media": outlet,
            "date": "3 hours ago",
            "datetime": f"{day} 06:10:00",
            "desc": TEXT,
            "link": url,
            "img": "data:",
        }
    ),
    "nyt_search": as_json(
        lambda title, outlet, url, day, time, seconds: {
            "abstract": TEXT,
            "web_url": url,
            "snippet": TEXT,
            "lead_paragraph": TEXT,
            "source": outlet,
            "multimedia": [{"caption": "A ferry", "url": "images/i.jpg", "type": "image"}],
            "headline": {"main": title, "kicker": None, "print_headline": "In print", "name": None},
            "keywords": [{"name": "subject", "value": "Ferries", "rank": 1}],
            "pub_date": time.replace("Z", "+0000"),
            "byline": {"original": "By A. Reporter", "person": [{"firstname": "A."}], "organization": None},
            "_id": "nyt://1",
        },
        lambda found: {"status": "OK", "copyright": "c", "response": {"docs": found, "meta": {"hits": 2}}},
    ),
    "nyt_top_stories": as_json(
        lambda title, outlet, url, day, time, seconds: {
            "section": "world",
            "subsection": "",
            "title": title,
            "abstract": TEXT,
            "url": url,
            "uri": "nyt://1",
            "byline": "By A. Reporter",
            "item_type": "Article",
            "updated_date": "2024-02-01T00:00:00-05:00",
            "created_date": time,
            "published_date": time,
            "des_facet": ["Ferries"],
            "multimedia": [{"url": "https://x.example/i.jpg", "caption": "A ferry on a bank"}],
        },
        lambda found: {"status": "OK", "section": "home", "num_results": 2, "results": found},
    ),
    "guardian": as_json(
        lambda title, outlet, url, day, time, seconds: {
            "id": "world/1",
            "type": "article",
            "sectionId": "world",
            "sectionName": "World news",
            "webPublicationDate": time,
            "webTitle": title,
            "webUrl": url,
            "apiUrl": "https://content.example/1",
            "isHosted": False,
            "pillarName": "News",
            "fields": {"headline": title, "bodyText": TEXT, "byline": "A. Reporter", "publication": outlet},
            "tags": [],
        },
        lambda found: {"response": {"status": "ok", "total": 2, "results": found}},
    ),
    "gdelt_doc": as_json(
        lambda title, outlet, url, day, time, seconds: {
            "url": url,
            "url_mobile": "",
            "title": title,
            "seendate": time.replace("-", "").replace(":", ""),
            "socialimage": "",
            "domain": outlet,
            "language": "English",
            "sourcecountry": "Norway",
        },
        lambda found: {"articles": found},
    ),
    "gdelt_doc_csv": as_csv(
        lambda title, outlet, url, day, time, seconds: {
            "URL": url,
            "MobileURL": "",
            "Date": f"{day} 06:10:00",
            "Title": title,
        }
    ),
    "gdelt_gkg": as_csv(gkg, header=False, delimiter="\t"),
    "event_registry": as_json(
        lambda title, outlet, url, day, time, seconds: {
            "uri": "800",
            "lang": "eng",
            "isDuplicate": False,
            "date": "2024-02-01",
            "time": "08:00:00",
            "dateTime": "2024-02-01T08:00:00Z",
            "dateTimePub": time,
            "dataType": "news",
            "sim": 0,
            "url": url,
            "title": title,
            "body": TEXT,
            "source": {"uri": "x.example", "dataType": "news", "title": outlet},
            "authors": [{"uri": "a@x", "name": "A. Reporter", "type": "author"}],
            "concepts": [{"uri": "http://w", "label": {"eng": "Ferry"}}],
            "eventUri": "eng-1",
            "sentiment": 0.1,
        },
        lambda found: {
            "articles": {"page": 1, "totalResults": 2, "pages": 1, "count": 100, "results": found}
        },
    ),
    "media_cloud": as_csv(
        lambda title, outlet, url, day, time, seconds: {
            "id": "ab1",
            "indexed_date": "2024-02-01 08:00:00",
            "language": "en",
            "media_name": outlet,
            "media_url": "x.example",
            "publish_date": day,
            "title": title,
            "url": url,
        }
    ),
    "mediastack": as_json(
        lambda title, outlet, url, day, time, seconds: {
            "author": "A. Reporter",
            "title": title,
            "description": TEXT,
            "url": url,
            "source": outlet,
            "image": None,
            "category": "general",
            "language": "en",
            "country": "gb",
            "published_at": time.replace("Z", "+00:00"),
        },
        lambda found: {"pagination": {"limit": 25, "offset": 0, "count": 2, "total": 2}, "data": found},
    ),
    "reddit": as_json(
        lambda title, outlet, url, day, time, seconds: {
            "kind": "t3",
            "data": {
                "subreddit": "worldnews",
                "selftext": "",
                "title": title,
                "created_utc": float(seconds),
                "url": url,
                "domain": outlet,
                "author": "u",
                "score": 5,
                "permalink": "/r/worldnews/1",
                "all_awardings": [],
                "media": None,
            },
        },
        lambda found: {"kind": "Listing", "data": {"after": "t3_x", "dist": 2, "children": found}},
    ),
    "hacker_news": as_lines(
        lambda title, outlet, url, day, time, seconds: {
            "by": "u",
            "descendants": 3,
            "id": 1,
            "kids": [2, 3],
            "score": 9,
            "time": seconds,
            "title": title,
            "type": "story",
            "url": url,
        }
    ),
    "hacker_news_search": as_json(
        lambda title, outlet, url, day, time, seconds: {
            "created_at": time,
            "title": title,
            "url": url,
            "author": "u",
            "points": 9,
            "story_text": None,
            "num_comments": 3,
            "created_at_i": seconds,
            "_tags": ["story"],
            "objectID": "1",
            "_highlightResult": {"title": {"value": f"<em>{title}</em>", "matchLevel": "full"}},
        },
        lambda found: {"hits": found, "nbHits": 2, "page": 0, "params": "query=ferry"},
    ),
    "bing_news": as_json(
        lambda title, outlet, url, day, time, seconds: {
            "name": title,
            "url": url,
            "image": {"thumbnail": {"contentUrl": "https://x.example/i"}},
            "description": TEXT,
            "about": [{"readLink": "https://x.example", "name": "Lindholm"}],
            "provider": [{"_type": "Organization", "name": outlet}],
            "datePublished": time.replace("Z", ".0000000Z"),
            "category": "World",
        },
        lambda found: {
            "_type": "News",
            "readLink": "https://x.example",
            "sort": [{"name": "Best match", "id": "relevance"}],
            "value": found,
        },
    ),
    "newscatcher": as_json(
        lambda title, outlet, url, day, time, seconds: {
            "title": title,
            "author": "A. Reporter",
            "authors": ["A. Reporter"],
            "published_date": f"{day} 06:10:00",
            "link": url,
            "clean_url": "x.example",
            "rights": outlet,
            "excerpt": TEXT,
            "summary": TEXT,
            "media": "https://x.example/i.jpg",
            "_score": 1.0,
        },
        lambda found: {"status": "ok", "total_hits": 2, "articles": found, "user_input": {"q": "ferry"}},
    ),
    "newsdata": as_json(
        lambda title, outlet, url, day, time, seconds: {
            "article_id": "a1",
            "title": title,
            "link": url,
            "keywords": ["ferry"],
            "creator": ["A. Reporter"],
            "video_url": None,
            "description": TEXT,
            "content": "ONLY AVAILABLE IN PAID PLANS",
            "pubDate": f"{day} 06:10:00",
            "pubDateTZ": "UTC",
            "source_id": "post",
            "source_name": outlet,
            "source_url": "https://x.example",
            "language": "english",
            "country": ["norway"],
        },
        lambda found: {"status": "success", "totalResults": 2, "results": found, "nextPage": "1"},
    ),
    "news_please": as_lines(
        lambda title, outlet, url, day, time, seconds: {
            "authors": ["A. Reporter"],
            "date_download": "2024-02-01 08:00:00",
            "date_modify": "2024-01-20 08:00:00",
            "date_publish": f"{day} 06:10:00",
            "description": TEXT,
            "filename": "f.json",
            "image_url": None,
            "language": "en",
            "localpath": None,
            "title": title,
            "title_page": None,
            "title_rss": None,
            "source_domain": outlet,
            "maintext": TEXT,
            "url": url,
        }
    ),
    "fundus": as_json(
        lambda title, outlet, url, day, time, seconds: {
            "title": title,
            "authors": ["A. Reporter"],
            "publishing_date": f"{day} 06:10:00+01:00",
            "topics": ["Ferries"],
            "free_access": True,
            "body": {
                "summary": ["In short."],
                "sections": [{"headline": ["Part"], "paragraphs": [TEXT, "More."]}],
            },
            "lang": "en",
            "publisher": outlet,
            "html": {"requested_url": url, "responded_url": url, "crawl_date": "2024-02-01 08:00:00"},
        }
    ),
    "newspaper": as_csv(
        lambda title, outlet, url, day, time, seconds: {
            "url": url,
            "title": title,
            "top_image": "https://x.example/i.jpg",
            "images": "['https://x.example/i.jpg']",
            "authors": "['A. Reporter', 'B. Reporter']",
            "publish_date": f"{day} 06:10:00",
            "summary": "",
            "meta_lang": "en",
            "meta_site_name": outlet,
            "canonical_link": url,
            "text": TEXT,
        }
    ),
    "trafilatura": as_json(
        lambda title, outlet, url, day, time, seconds: {
            "title": title,
            "author": "A. Reporter",
            "hostname": "x.example",
            "date": day,
            "fingerprint": "f1",
            "id": None,
            "license": None,
            "comments": "",
            "raw_text": TEXT,
            "text": TEXT,
            "language": None,
            "image": None,
            "pagetype": "article",
            "filedate": "2024-02-01",
            "source": url,
            "source-hostname": outlet,
            "excerpt": "The ferry",
            "categories": "",
            "tags": "",
        }
    ),
    "trafilatura_csv": as_csv(
        lambda title, outlet, url, day, time, seconds: {
            "url": url,
            "id": "",
            "fingerprint": "f1",
            "hostname": outlet,
            "title": title,
            "image": "",
            "date": day,
            "text": TEXT,
            "comments": "",
            "license": "",
            "pagetype": "article",
        },
        delimiter="\t",
    ),
    "webscraper": as_csv(
        lambda title, outlet, url, day, time, seconds: {
            "web-scraper-order": "1685-1",
            "web-scraper-start-url": "https://x.example/search?q=ferry",
            "pagination": "2",
            "pagination-href": "https://x.example/search?page=2",
            "Link": title,
            "Link-href": url,
            "Text": TEXT,
            "date": day,
            "source": outlet,
        }
    ),
    "talkwalker": as_csv(
        lambda title, outlet, url, day, time, seconds: {
            "search_indexed": "1706745600000",
            "published": str(seconds * 1000),
            "title": title,
            "content_snippet": TEXT,
            "url": url,
            "domain_url": "https://x.example/",
            "source_type": "ONLINENEWS",
            "extra_source_attributes.name": outlet,
            "lang": "en",
        }
    ),
    "meltwater": as_csv(meltwater),
    "meltwater_new": as_csv(meltwater_new),
    "factiva": as_csv(
        lambda title, outlet, url, day, time, seconds: {
            "SE": "News",
            "HD": title,
            "BY": "By A. Reporter",
            "WC": "300",
            "PD": f"{int(day[8:])} January 2024",
            "ET": "06:10",
            "SN": outlet,
            "SC": "HPOST",
            "LA": "English",
            "CY": "(c) 2024",
            "LP": TEXT,
            "TD": TEXT,
            "IPC": "",
            "AN": "Document HPOST00001",
        }
    ),
    "factiva_snapshot": as_lines(
        lambda title, outlet, url, day, time, seconds: {
            "an": "HPOST1",
            "action": "add",
            "source_code": "HPOST",
            "source_name": outlet,
            "title": title,
            "snippet": TEXT,
            "body": TEXT,
            "byline": "A. Reporter",
            "language_code": "en",
            "publication_date": seconds * 1000,
            "publication_datetime": seconds * 1000,
            "modification_datetime": 1706774400000,
            "ingestion_datetime": 1706774400000,
            "word_count": 30,
        }
    ),
    "nexis_tools": as_csv(
        lambda title, outlet, url, day, time, seconds: {
            "ID": "1",
            "Source_File": "a.docx",
            "Newspaper": outlet,
            "Date": day,
            "Length": "300 words",
            "Section": "News",
            "Author": "A. Reporter",
            "Edition": "",
            "Headline": title,
            "Graphic": "FALSE",
        }
    ),
    "nexis": as_csv(
        lambda title, outlet, url, day, time, seconds: {
            "Headline": title,
            "Publication": outlet,
            "Date": f"January {day[8:]}, 2024 Monday",
            "Byline": "A. Reporter",
            "Section": "News; Pg. 4",
            "Length": "300 words",
            "Load-Date": "February 1, 2024",
            "Body": TEXT,
        }
    ),
    "nexis_uni": as_csv(
        lambda title, outlet, url, day, time, seconds: {
            "Title": title,
            "Hlead": TEXT,
            "Publication": outlet,
            "Date": f"January {day[8:]}, 2024",
            "Document Type": "News",
            "Byline": "A. Reporter",
        }
    ),
    "genios": as_csv(
        lambda title, outlet, url, day, time, seconds: {
            "Titel": title,
            "Untertitel": "",
            "Quelle": outlet,
            "Datum": f"{day[8:]}.01.2024",
            "Seite": "4",
            "Ressort": "Lokales",
            "Autor": "A. Reporter",
            "Dokumentnummer": "HP20240115",
            "Text": TEXT,
        },
        delimiter=";",
    ),
    "mind": as_csv(
        lambda title, outlet, url, day, time, seconds: [
            "N7",
            "news",
            "newsworld",
            title,
            TEXT,
            url,
            "[]",
            '[{"Label": "Lindholm"}]',
        ],
        header=False,
        delimiter="\t",
        name="news.tsv",
    ),
    "all_the_news": as_csv(
        lambda title, outlet, url, day, time, seconds: {
            "": "0",
            "id": "1",
            "title": title,
            "publication": outlet,
            "author": "A. Reporter",
            "date": day,
            "year": "2024.0",
            "month": "1.0",
            "url": url,
            "content": TEXT,
        }
    ),
    "all_the_news_2": as_csv(
        lambda title, outlet, url, day, time, seconds: {
            "date": f"{day} 06:10:00",
            "year": "2024",
            "month": "1.0",
            "day": "15",
            "author": "A. Reporter",
            "title": title,
            "article": TEXT,
            "url": url,
            "section": "World",
            "publication": outlet,
        }
    ),
    "ag_news": as_csv(
        lambda title, outlet, url, day, time, seconds: ["3", title, TEXT], header=False, name="train.csv"
    ),
    "feedly": as_json(
        lambda title, outlet, url, day, time, seconds: {
            "id": "x",
            "fingerprint": "f1",
            "language": "en",
            "originId": "o1",
            "published": seconds * 1000,
            "crawled": 1706774400000,
            "title": title,
            "origin": {"streamId": "feed/x", "title": outlet, "htmlUrl": "https://x.example"},
            "author": "A. Reporter",
            "alternate": [{"type": "text/html", "href": url}],
            "summary": {"content": f"<p>{TEXT}</p>", "direction": "ltr"},
            "unread": True,
        },
        lambda found: {"id": "feed/x", "title": "My board", "updated": 1706774400000, "items": found},
    ),
    "google_reader": as_json(
        lambda title, outlet, url, day, time, seconds: {
            "id": "tag:google.com,2005:reader/item/1",
            "crawlTimeMsec": "1706774400000",
            "timestampUsec": "1706774400000000",
            "published": seconds,
            "title": title,
            "canonical": [{"href": url}],
            "alternate": [{"href": url, "type": "text/html"}],
            "categories": ["user/-/state/com.google/reading-list"],
            "origin": {"streamId": "feed/1", "title": outlet, "htmlUrl": "https://x.example"},
            "summary": {"content": f"<p>{TEXT}</p>"},
            "author": "A. Reporter",
        },
        lambda found: {
            "id": "user/-/state/org.freshrss/starred",
            "title": "List of favourite articles",
            "author": "u",
            "items": found,
        },
    ),
    "telegram": as_json(
        lambda title, outlet, url, day, time, seconds: {
            "id": 7,
            "type": "message",
            "date": time[:-1],
            "date_unixtime": str(seconds),
            "from": outlet,
            "from_id": "channel7",
            "text": ["🔥 ", {"type": "bold", "text": title}, f"\n\n{TEXT}"],
            "text_entities": [{"type": "bold", "text": title}],
        },
        lambda found: {"name": OUTLETS[0], "type": "public_channel", "id": 7, "messages": found},
    ),
    "mastodon": as_json(
        lambda title, outlet, url, day, time, seconds: {
            "id": "1",
            "created_at": time,
            "in_reply_to_id": None,
            "sensitive": False,
            "visibility": "public",
            "language": "en",
            "uri": url,
            "url": "https://social.example/@post/1",
            "content": f'<p>{title} <a href="{url}">{url}</a></p>',
            "reblog": None,
            "account": {"id": "7", "username": "post", "acct": "post", "display_name": outlet},
            "media_attachments": [],
            "card": {"url": url, "title": title, "description": TEXT, "type": "link"},
        }
    ),
    "youtube_api": as_json(
        lambda title, outlet, url, day, time, seconds: {
            "kind": "youtube#searchResult",
            "etag": "e",
            "id": {"kind": "youtube#video", "videoId": "v1"},
            "snippet": {
                "publishedAt": time,
                "channelId": "UC1",
                "title": title,
                "description": TEXT,
                "thumbnails": {"default": {"url": "https://x.example/i.jpg"}},
                "channelTitle": outlet,
                "liveBroadcastContent": "none",
            },
        },
        lambda found: {
            "kind": "youtube#searchListResponse",
            "etag": "e",
            "pageInfo": {"totalResults": 2},
            "items": found,
        },
    ),
    "youtube_list": as_lines(
        lambda title, outlet, url, day, time, seconds: {
            "id": "v1",
            "title": title,
            "description": TEXT,
            "channel": outlet,
            "uploader": outlet,
            "webpage_url": url,
            "duration": 61,
            "upload_date": day.replace("-", ""),
            "timestamp": seconds,
            "view_count": 7,
            "tags": ["ferry"],
        }
    ),
}

REFUSED = {
    "gdelt_events": "\n".join(
        "\t".join(
            [
                "1150000001",
                "20240115",
                "202401",
                "2024",
                "2024.0411",
                "NOR",
                "NORLAND",
                *["x"] * 52,
                "20240115061000",
                url,
            ]
        )
        for url in ADDRESSES
    ),
    "gdelt_events_1": "\n".join(
        "\t".join(
            [
                "450000001",
                "20140115",
                "201401",
                "2014",
                "2014.0411",
                "NOR",
                "NORLAND",
                *["x"] * 49,
                "20140115",
                url,
            ]
        )
        for url in ADDRESSES
    ),
    "gdelt_mentions": "\n".join(
        "\t".join(["1150000001", "20240115060000", "20240115061500", "1", "x.example", url, *["1"] * 10])
        for url in ADDRESSES
    ),
}
