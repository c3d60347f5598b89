import java.io.ByteArrayInputStream;
import java.net.URI;
import java.util.zip.GZIPInputStream;
import software.amazon.awssdk.eventnotifications.s3.model.S3EventNotification;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * A pull consumer of AWS's own parts: reads a queue with the SDK, takes each message for an S3 event notification with
 * the SDK's reader of these, and writes the lines of the objects that they name. Ends when the queue is empty.
 *
 * Arguments: the address of SQS, the address of S3, the queue's URL.
 */
public class PullConsumer {
  public static void main(String[] args) throws Exception {
    var http = UrlConnectionHttpClient.builder();
    var sqs = SqsClient.builder().endpointOverride(URI.create(args[0])).httpClientBuilder(http).build();
    var s3 = S3Client.builder().endpointOverride(URI.create(args[1])).forcePathStyle(true)
        .httpClientBuilder(http).build();
    var region = Region.of(System.getenv("AWS_REGION")).id();
    while (true) {
      var messages = sqs.receiveMessage(ask -> ask.queueUrl(args[2]).maxNumberOfMessages(10)).messages();
      if (messages.isEmpty()) return;
      for (var message : messages) {
        for (var record : S3EventNotification.fromJson(message.body()).getRecords()) {
          require(record.getEventSource().equals("aws:s3"), "source " + record.getEventSource());
          require(record.getEventName().startsWith("ObjectCreated:"), "name " + record.getEventName());
          require(record.getAwsRegion().equals(region), "region " + record.getAwsRegion());
          require(record.getEventTime() != null, "no time");
          var object = record.getS3().getObject();
          var stored = s3.getObjectAsBytes(get -> get
              .bucket(record.getS3().getBucket().getName())
              .key(object.getUrlDecodedKey())
              .ifMatch(object.getETag()));
          require(stored.asByteArray().length == object.getSizeAsLong(), "size " + object.getSizeAsLong());
          new GZIPInputStream(new ByteArrayInputStream(stored.asByteArray())).transferTo(System.out);
        }
        sqs.deleteMessage(delete -> delete.queueUrl(args[2]).receiptHandle(message.receiptHandle()));
      }
    }
  }

  private static void require(boolean holds, String what) {
    if (!holds) throw new IllegalStateException(what);
  }
}
